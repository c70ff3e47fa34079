/** What Marrakech says. The source: every other language has the same keys. */
export default {
  'marrakech.name': 'Marrakech',

  'marrakech.colour.red': 'red',
  'marrakech.colour.yellow': 'yellow',
  'marrakech.colour.blue': 'blue',
  'marrakech.colour.orange': 'orange',
  'marrakech.facing.N': 'north',
  'marrakech.facing.E': 'east',
  'marrakech.facing.S': 'south',
  'marrakech.facing.W': 'west',

  // ---- what happened
  'marrakech.told.drew': 'The next rug of {name} is {colour}.',
  'marrakech.told.turned.left': '{name} turns Assam left, to the {facing}.',
  'marrakech.told.turned.ahead': '{name} lets Assam look {facing}.',
  'marrakech.told.turned.right': '{name} turns Assam right, to the {facing}.',
  'marrakech.told.walked': '{name} rolls {die}: Assam walks {path}.',
  'marrakech.told.round': 'round to {square}',
  'marrakech.told.paid': '{name} pays {owner} {paid|one:# dirham|other:# dirhams} for {colour}.',
  'marrakech.told.paid.short': '{name} owes {owner} {owed|one:# dirham|other:# dirhams} and pays all there is: {paid}.',
  'marrakech.told.out': '{name} is out. The rugs stay as neutral ones.',
  'marrakech.told.laid': '{name} lays {colour} on {one} and {other}.',
  'marrakech.told.laid.over': '{name} lays {colour} on {one} and {other}, over {covered}.',
  'marrakech.told.score': '{name} {score}',
  'marrakech.told.over': 'The game is over: {scores}.',
  'marrakech.covered': '{colour} of {owner} on {square}',
  'marrakech.covered.neutral': 'neutral {colour} on {square}',

  // ---- what is to be done
  'marrakech.todo.turn.mine': '{name}, your turn: choose where Assam looks, then the die is rolled.',
  'marrakech.todo.turn.other': '{name} chooses where Assam looks.',
  'marrakech.todo.lay.mine': '{name}, lay your {colour} rug beside Assam.',
  'marrakech.todo.lay.other': '{name} lays a rug: {colour}.',
  'marrakech.todo.turn_last.must.mine': '{name}, turn Assam left or right for the next player.',
  'marrakech.todo.turn_last.must.other': '{name} turns Assam for the next player.',
  'marrakech.todo.turn_last.may.mine': '{name}, choose where Assam looks for the next player.',
  'marrakech.todo.turn_last.may.other': '{name} chooses where Assam looks for the next player.',
  'marrakech.todo.over': 'The game is over.',
  'marrakech.tie': 'The points are level with {others}; more dirhams decide.',

  // ---- actions
  'marrakech.act.left': 'Turn Assam left, to the {facing}',
  'marrakech.act.ahead': 'Let Assam look ahead, to the {facing}',
  'marrakech.act.right': 'Turn Assam right, to the {facing}',
  'marrakech.act.lay': 'Lay {colour} on {one} and {other}',
  'marrakech.act.die': 'The die shows {die}',
  'marrakech.act.drawn': 'A rug is drawn: {colour}',
  'marrakech.hinted': '{action} (the computer would do this)',

  // ---- the choice, beside the board
  'marrakech.controls': 'Your choice',
  'marrakech.turn.left': 'Left',
  'marrakech.turn.ahead': 'Ahead',
  'marrakech.turn.right': 'Right',
  'marrakech.turn.average': '{action}: {gain} on average',
  'marrakech.stop.free.all': 'Assam may stop on {squares}: you would pay nothing anywhere.',
  'marrakech.stop.free.all.other': 'Assam may stop on {squares}: {name} would pay nothing anywhere.',
  'marrakech.stop.free': 'Assam may stop on {squares} ({chance} in {of}): you would pay nothing.',
  'marrakech.stop.free.other': 'Assam may stop on {squares} ({chance} in {of}): {name} would pay nothing.',
  'marrakech.stop.pay': 'Assam may stop on {squares} ({chance} in {of}): you would pay {paid} to {owner}.',
  'marrakech.stop.out': 'Assam may stop on {squares} ({chance} in {of}): you would pay all you have, {paid}, to {owner} and be out.',
  'marrakech.stop.out.other': 'Assam may stop on {squares} ({chance} in {of}): {name} would pay {owner} all there is, {paid}, and be out.',
  'marrakech.stop.earn': 'Assam may stop on {squares} ({chance} in {of}): {name} would pay {paid} to you.',
  'marrakech.stop.other': 'Assam may stop on {squares} ({chance} in {of}): {name} would pay {paid} to {owner}.',
  'marrakech.stop.chance': '{chance}/{of}',
  'marrakech.stop.badge.out': 'out',
  'marrakech.lay.how': 'Choose two squares beside Assam, drag the rug there, or take a place from the list.',
  'marrakech.lay.places': 'Places for the rug',
  'marrakech.place': '{one} and {other}',
  'marrakech.place.over': '{one} and {other}, covers {covered}',
  'marrakech.place.gain': '{place}: {gain}',
  'marrakech.place.short': '{one}–{other}',
  'marrakech.lay.score': '{name} {gain}, then {score}',

  // ---- the board, read out
  'marrakech.board': 'The board of Marrakech',
  'marrakech.board.assam': 'Assam stands on {square} and looks {facing}.',
  'marrakech.board.rugs': 'Rugs of {owner} ({colour}) on {n|one:# square|other:# squares}: {squares}.',
  'marrakech.board.neutral': 'Neutral rugs ({colour}) on {n|one:# square|other:# squares}: {squares}.',
  'marrakech.board.bare': 'No rugs lie on the board.',
  'marrakech.hand': 'The rug to be laid is {colour}: drag it onto the board',

  // ---- what a player holds
  'marrakech.purse.dirhams': '{n|one:# dirham|other:# dirhams}',
  'marrakech.purse.rugs': '{colour}: {n|one:# rug|other:# rugs} left',
  'marrakech.purse.next': '{colour}: {n|one:# rug|other:# rugs} left, the next to be laid',
  'marrakech.purse.next.short': 'next',
  'marrakech.purse.out': 'Out; the rugs are neutral',

  // ---- a first game, phase by phase
  'marrakech.hint.turn':
    'Turn Assam a quarter left or right, or let him look ahead. The die (1, 2, 2, 3, 3, 4) then decides how far he walks; where he stops on the rug of somebody else you pay one dirham for every square of that colour that hangs together.',
  'marrakech.hint.lay':
    'Lay your rug on two squares beside Assam. It may cover halves of other rugs, but never both halves of one. In the end every square that shows your rug and every dirham is one point.',
  'marrakech.hint.turn_last':
    'In this variant Assam is turned after laying: you choose which way the next player sends him off.',

  // ---- editions
  'marrakech.edition.gigamic':
    'The box by Gigamic with 60 rugs: whoever cannot pay is out. The one to start with, for any round of two to four.',
  'marrakech.edition.gigamic-57':
    'The older sheet with 57 rugs: whoever cannot pay gives what is left and plays on. For families, and for everyone who wants to stay in until the end.',
  'marrakech.edition.pergioco':
    'The sheet by pergioco.net: with two players the piles lie face down, and only your turn shows which colour you lay. For two who like surprises.',
};
