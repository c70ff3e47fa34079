/** What Marrakech says in Italian. */
export default {
  'marrakech.name': 'Marrakech',

  'marrakech.colour.red': 'rosso',
  'marrakech.colour.yellow': 'giallo',
  'marrakech.colour.blue': 'blu',
  'marrakech.colour.orange': 'arancione',
  'marrakech.facing.N': 'verso nord',
  'marrakech.facing.E': 'verso est',
  'marrakech.facing.S': 'verso sud',
  'marrakech.facing.W': 'verso ovest',

  // ---- what happened
  'marrakech.told.drew': 'Il prossimo tappeto di {name} è {colour}.',
  'marrakech.told.turned.left': '{name} gira Assam a sinistra, {facing}.',
  'marrakech.told.turned.ahead': '{name} lascia che Assam guardi {facing}.',
  'marrakech.told.turned.right': '{name} gira Assam a destra, {facing}.',
  'marrakech.told.walked': '{name} tira {die} e Assam avanza: {path}.',
  'marrakech.told.round': 'per l’arco in {square}',
  'marrakech.told.paid': '{name} paga {paid|one:# dirham|other:# dirham} a {owner} (tappeto {colour}).',
  'marrakech.told.paid.short': '{name} deve {owed|one:# dirham|other:# dirham} a {owner} e dà tutto quello che ha: {paid}.',
  'marrakech.told.out': '{name} è fuori. I suoi tappeti restano, ma neutri.',
  'marrakech.told.laid': '{name} posa un tappeto {colour} su {one} e {other}.',
  'marrakech.told.laid.over': '{name} posa un tappeto {colour} su {one} e {other}, sopra {covered}.',
  'marrakech.told.score': '{name} {score}',
  'marrakech.told.over': 'La partita è finita: {scores}.',
  'marrakech.covered': 'un tappeto {colour} di {owner} in {square}',
  'marrakech.covered.neutral': 'un tappeto {colour} neutro in {square}',

  // ---- what is to be done
  'marrakech.todo.turn.mine': '{name}, tocca a te: scegli dove guarda Assam, poi si tira il dado.',
  'marrakech.todo.turn.other': '{name} sceglie dove guarda Assam.',
  'marrakech.todo.lay.mine': '{name}, posa il tuo tappeto {colour} accanto ad Assam.',
  'marrakech.todo.lay.other': '{name} posa un tappeto {colour}.',
  'marrakech.todo.turn_last.must.mine': '{name}, gira Assam a sinistra o a destra per il giocatore che segue.',
  'marrakech.todo.turn_last.must.other': '{name} gira Assam per il giocatore che segue.',
  'marrakech.todo.turn_last.may.mine': '{name}, scegli dove guarda Assam per il giocatore che segue.',
  'marrakech.todo.turn_last.may.other': '{name} sceglie dove guarda Assam per il giocatore che segue.',
  'marrakech.todo.over': 'La partita è finita.',
  'marrakech.tie': 'A parità di punti con {others} decide chi ha più dirham.',

  // ---- actions
  'marrakech.act.left': 'Gira Assam a sinistra, {facing}',
  'marrakech.act.ahead': 'Lascia che Assam guardi dritto davanti a sé, {facing}',
  'marrakech.act.right': 'Gira Assam a destra, {facing}',
  'marrakech.act.lay': 'Posa un tappeto {colour} su {one} e {other}',
  'marrakech.act.die': 'Il dado dà {die}',
  'marrakech.act.drawn': 'Si pesca un tappeto: {colour}',
  'marrakech.hinted': '{action} (il computer farebbe così)',

  // ---- the choice, beside the board
  'marrakech.controls': 'La tua scelta',
  'marrakech.turn.left': 'A sinistra',
  'marrakech.turn.ahead': 'Dritto',
  'marrakech.turn.right': 'A destra',
  'marrakech.turn.average': '{action}: {gain} in media',
  'marrakech.stop.free.all': 'Assam può fermarsi in {squares}: non pagheresti nulla da nessuna parte.',
  'marrakech.stop.free.all.other': 'Assam può fermarsi in {squares}: {name} non pagherebbe nulla da nessuna parte.',
  'marrakech.stop.free': 'Assam può fermarsi in {squares} ({chance} su {of}): non pagheresti nulla.',
  'marrakech.stop.free.other': 'Assam può fermarsi in {squares} ({chance} su {of}): {name} non pagherebbe nulla.',
  'marrakech.stop.pay': 'Assam può fermarsi in {squares} ({chance} su {of}): pagheresti {paid} a {owner}.',
  'marrakech.stop.out': 'Assam può fermarsi in {squares} ({chance} su {of}): daresti tutto quello che hai, {paid}, a {owner} e saresti fuori.',
  'marrakech.stop.out.other': 'Assam può fermarsi in {squares} ({chance} su {of}): {name} darebbe a {owner} tutto quello che ha, {paid}, e sarebbe fuori.',
  'marrakech.stop.earn': 'Assam può fermarsi in {squares} ({chance} su {of}): {name} ti pagherebbe {paid}.',
  'marrakech.stop.other': 'Assam può fermarsi in {squares} ({chance} su {of}): {name} pagherebbe {paid} a {owner}.',
  'marrakech.stop.chance': '{chance}/{of}',
  'marrakech.stop.badge.out': 'fuori',
  'marrakech.lay.how': 'Scegli due caselle accanto ad Assam, trascinaci il tappeto, o scegli dall’elenco.',
  'marrakech.lay.places': 'Dove posare il tappeto',
  'marrakech.place': '{one} e {other}',
  'marrakech.place.over': '{one} e {other}, copre {covered}',
  'marrakech.place.gain': '{place}: {gain}',
  'marrakech.place.short': '{one}–{other}',
  'marrakech.lay.score': '{name} {gain}, poi {score}',

  // ---- the board, read out
  'marrakech.board': 'Il tabellone di Marrakech',
  'marrakech.board.assam': 'Assam è in {square} e guarda {facing}.',
  'marrakech.board.rugs': 'Tappeti di {owner} ({colour}) su {n|one:# casella|other:# caselle}: {squares}.',
  'marrakech.board.neutral': 'Tappeti neutri ({colour}) su {n|one:# casella|other:# caselle}: {squares}.',
  'marrakech.board.bare': 'Sul tabellone non ci sono tappeti.',
  'marrakech.hand': 'Il tappeto da posare è {colour}: trascinalo sul tabellone',

  // ---- what a player holds
  'marrakech.purse.dirhams': '{n|one:# dirham|other:# dirham}',
  'marrakech.purse.rugs': '{colour}: {n|one:# tappeto rimasto|other:# tappeti rimasti}',
  'marrakech.purse.next': '{colour}: {n|one:# tappeto rimasto|other:# tappeti rimasti}, il prossimo da posare',
  'marrakech.purse.next.short': 'prossimo',
  'marrakech.purse.out': 'Fuori; i tappeti sono neutri',

  // ---- a first game, phase by phase
  'marrakech.hint.turn':
    'Gira Assam di un quarto di giro a sinistra o a destra, oppure lascialo guardare dritto davanti a sé. Poi il dado (1, 2, 2, 3, 3, 4) decide di quante caselle avanza; se si ferma sul tappeto di qualcun altro, paghi un dirham per ogni casella di quel colore unita alla sua, compresa la sua.',
  'marrakech.hint.lay':
    'Posa il tuo tappeto su due caselle accanto ad Assam. Può coprire metà di altri tappeti, ma mai entrambe le metà dello stesso. Alla fine ogni casella in cui si vede un tuo tappeto e ogni dirham valgono un punto.',
  'marrakech.hint.turn_last':
    'In questa variante Assam si gira dopo la posa: scegli tu da che parte lo farà partire il giocatore che segue.',

  // ---- editions
  'marrakech.edition.gigamic':
    'La scatola di Gigamic con 60 tappeti: chi non può pagare è fuori. Quella con cui cominciare, in due, tre o quattro.',
  'marrakech.edition.gigamic-57':
    'Il vecchio foglio di regole con 57 tappeti: chi non può pagare dà quello che ha e continua a giocare. Per le famiglie, e per tutti quelli che vogliono giocare fino alla fine.',
  'marrakech.edition.pergioco':
    'Il foglio di regole di pergioco.net: in due le pile sono coperte, e solo nel tuo turno scopri quale colore posi. Per due giocatori a cui piacciono le sorprese.',
};
