/** What Marrakech says, in Dutch. */
export default {
  'marrakech.name': 'Marrakech',

  'marrakech.colour.red': 'rood',
  'marrakech.colour.yellow': 'geel',
  'marrakech.colour.blue': 'blauw',
  'marrakech.colour.orange': 'oranje',
  'marrakech.facing.N': 'noorden',
  'marrakech.facing.E': 'oosten',
  'marrakech.facing.S': 'zuiden',
  'marrakech.facing.W': 'westen',

  // ---- what happened
  'marrakech.told.drew': 'Het volgende tapijt van {name} is {colour}.',
  'marrakech.told.turned.left': '{name} draait Assam naar links, naar het {facing}.',
  'marrakech.told.turned.ahead': '{name} laat Assam rechtuit kijken, naar het {facing}.',
  'marrakech.told.turned.right': '{name} draait Assam naar rechts, naar het {facing}.',
  'marrakech.told.walked': '{name} gooit {die}. Assams weg: {path}.',
  'marrakech.told.round': 'over de boog {square}',
  'marrakech.told.paid': '{name} betaalt {owner} {paid|one:# dirham|other:# dirham} voor {colour}.',
  'marrakech.told.paid.short': '{name} is {owner} {owed|one:# dirham|other:# dirham} schuldig en betaalt alles wat er nog is: {paid}.',
  'marrakech.told.out': '{name} is uitgeschakeld. De tapijten blijven als neutrale tapijten liggen.',
  'marrakech.told.laid': '{name} legt {colour} op {one} en {other}.',
  'marrakech.told.laid.over': '{name} legt {colour} op {one} en {other}, over {covered}.',
  'marrakech.told.score': '{name} {score}',
  'marrakech.told.over': 'Het spel is afgelopen: {scores}.',
  'marrakech.covered': '{colour} van {owner} op {square}',
  'marrakech.covered.neutral': 'neutraal {colour} op {square}',

  // ---- what is to be done
  'marrakech.todo.turn.mine': '{name}, jij bent aan de beurt: kies waar Assam naartoe kijkt, dan wordt er gegooid.',
  'marrakech.todo.turn.other': '{name} kiest waar Assam naartoe kijkt.',
  'marrakech.todo.lay.mine': '{name}, leg een {colour} tapijt naast Assam.',
  'marrakech.todo.lay.other': '{name} legt een {colour} tapijt.',
  'marrakech.todo.turn_last.must.mine': '{name}, draai Assam naar links of rechts voor de volgende speler.',
  'marrakech.todo.turn_last.must.other': '{name} draait Assam voor de volgende speler.',
  'marrakech.todo.turn_last.may.mine': '{name}, kies waar Assam naartoe kijkt voor de volgende speler.',
  'marrakech.todo.turn_last.may.other': '{name} kiest waar Assam naartoe kijkt voor de volgende speler.',
  'marrakech.todo.over': 'Het spel is afgelopen.',
  'marrakech.tie': 'Evenveel punten als {others}: wie meer dirhams heeft, wint.',

  // ---- actions
  'marrakech.act.left': 'Draai Assam naar links, naar het {facing}',
  'marrakech.act.ahead': 'Laat Assam rechtuit kijken, naar het {facing}',
  'marrakech.act.right': 'Draai Assam naar rechts, naar het {facing}',
  'marrakech.act.lay': 'Leg {colour} op {one} en {other}',
  'marrakech.act.die': 'De dobbelsteen geeft {die}',
  'marrakech.act.drawn': 'Er wordt een tapijt getrokken: {colour}',
  'marrakech.hinted': '{action} (dit zou de computer doen)',

  // ---- the choice, beside the board
  'marrakech.controls': 'Jouw keus',
  'marrakech.turn.left': 'Links',
  'marrakech.turn.ahead': 'Rechtuit',
  'marrakech.turn.right': 'Rechts',
  'marrakech.turn.average': '{action}: gemiddeld {gain}',
  'marrakech.stop.free.all': 'Assam kan stilhouden op {squares}: je zou nergens iets betalen.',
  'marrakech.stop.free.all.other': 'Assam kan stilhouden op {squares}: {name} zou nergens iets betalen.',
  'marrakech.stop.free': 'Assam kan stilhouden op {squares} (kans {chance} op {of}): je zou niets betalen.',
  'marrakech.stop.free.other': 'Assam kan stilhouden op {squares} (kans {chance} op {of}): {name} zou niets betalen.',
  'marrakech.stop.pay': 'Assam kan stilhouden op {squares} (kans {chance} op {of}): je zou {paid} betalen aan {owner}.',
  'marrakech.stop.out': 'Assam kan stilhouden op {squares} (kans {chance} op {of}): je zou alles wat je hebt, {paid}, aan {owner} betalen en uitgeschakeld zijn.',
  'marrakech.stop.out.other': 'Assam kan stilhouden op {squares} (kans {chance} op {of}): {name} zou alles wat er nog is, {paid}, aan {owner} betalen en uitgeschakeld zijn.',
  'marrakech.stop.earn': 'Assam kan stilhouden op {squares} (kans {chance} op {of}): {name} zou jou {paid} betalen.',
  'marrakech.stop.other': 'Assam kan stilhouden op {squares} (kans {chance} op {of}): {name} zou {paid} betalen aan {owner}.',
  'marrakech.stop.chance': '{chance}/{of}',
  'marrakech.stop.badge.out': 'uit',
  'marrakech.lay.how': 'Kies twee vakken naast Assam, sleep het tapijt erheen, of neem een plek uit de lijst.',
  'marrakech.lay.places': 'Plekken voor het tapijt',
  'marrakech.place': '{one} en {other}',
  'marrakech.place.over': '{one} en {other}, bedekt {covered}',
  'marrakech.place.gain': '{place}: {gain}',
  'marrakech.place.short': '{one}–{other}',
  'marrakech.lay.score': '{name} {gain}, dan {score}',

  // ---- the board, read out
  'marrakech.board': 'Het speelbord van Marrakech',
  'marrakech.board.assam': 'Assam staat op {square} en kijkt naar het {facing}.',
  'marrakech.board.rugs': 'Tapijten van {owner} ({colour}) op {n|one:# vak|other:# vakken}: {squares}.',
  'marrakech.board.neutral': 'Neutrale tapijten ({colour}) op {n|one:# vak|other:# vakken}: {squares}.',
  'marrakech.board.bare': 'Er liggen geen tapijten op het speelbord.',
  'marrakech.hand': 'Het tapijt dat gelegd wordt, is {colour}: sleep het naar het speelbord',

  // ---- what a player holds
  'marrakech.purse.dirhams': '{n|one:# dirham|other:# dirham}',
  'marrakech.purse.rugs': '{colour}: nog {n|one:# tapijt|other:# tapijten}',
  'marrakech.purse.next': '{colour}: nog {n|one:# tapijt|other:# tapijten}, het volgende wordt gelegd',
  'marrakech.purse.next.short': 'volgende',
  'marrakech.purse.out': 'Uitgeschakeld; de tapijten zijn neutraal',

  // ---- a first game, phase by phase
  'marrakech.hint.turn':
    'Draai Assam een kwartslag naar links of rechts, of laat hem rechtuit kijken. Daarna bepaalt de dobbelsteen (1, 2, 2, 3, 3, 4) hoe ver hij loopt; houdt hij stil op een tapijt van een ander, dan betaal je één dirham voor elk vak van die kleur dat eraan vastzit.',
  'marrakech.hint.lay':
    'Leg je tapijt op twee vakken naast Assam. Het mag helften van andere tapijten bedekken, maar nooit beide helften van hetzelfde. Aan het eind is elk vak waarop je tapijt te zien is één punt waard, en elke dirham ook.',
  'marrakech.hint.turn_last':
    'In deze variant wordt Assam na het leggen gedraaid: jij bepaalt welke kant de volgende speler hem op stuurt.',

  // ---- editions
  'marrakech.edition.gigamic':
    'De doos van Gigamic met 60 tapijten: wie niet kan betalen, is uitgeschakeld. De uitgave om mee te beginnen, voor elke ronde van twee tot vier.',
  'marrakech.edition.gigamic-57':
    'Het oudere regelblad met 57 tapijten: wie niet kan betalen, geeft wat er nog is en speelt verder. Voor gezinnen, en voor iedereen die tot het eind mee wil doen.',
  'marrakech.edition.pergioco':
    'Het regelblad van pergioco.net: met twee spelers liggen de stapels gedekt, en pas in je beurt zie je welke kleur je legt. Voor twee die van verrassingen houden.',
};
