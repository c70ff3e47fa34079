/** What Marrakech says, in German. */
export default {
  'marrakech.name': 'Marrakech',

  'marrakech.colour.red': 'Rot',
  'marrakech.colour.yellow': 'Gelb',
  'marrakech.colour.blue': 'Blau',
  'marrakech.colour.orange': 'Orange',
  'marrakech.facing.N': 'Norden',
  'marrakech.facing.E': 'Osten',
  'marrakech.facing.S': 'Süden',
  'marrakech.facing.W': 'Westen',

  // ---- what happened
  'marrakech.told.drew': 'Der nächste Teppich von {name}: {colour}.',
  'marrakech.told.turned.left': '{name} dreht Assam nach links, nach {facing}.',
  'marrakech.told.turned.ahead': '{name} lässt Assam geradeaus blicken, nach {facing}.',
  'marrakech.told.turned.right': '{name} dreht Assam nach rechts, nach {facing}.',
  'marrakech.told.walked': '{name} würfelt {die}. Assams Weg: {path}.',
  'marrakech.told.round': 'über den Bogen {square}',
  'marrakech.told.paid': '{name} zahlt {owner} {paid|one:# Dirham|other:# Dirham} für {colour}.',
  'marrakech.told.paid.short': '{name} schuldet {owner} {owed|one:# Dirham|other:# Dirham} und zahlt alles, was noch da ist: {paid}.',
  'marrakech.told.out': '{name} ist ausgeschieden. Die Teppiche bleiben als neutrale liegen.',
  'marrakech.told.laid': '{name} legt {colour} auf {one} und {other}.',
  'marrakech.told.laid.over': '{name} legt {colour} auf {one} und {other}, über {covered}.',
  'marrakech.told.score': '{name} {score}',
  'marrakech.told.over': 'Das Spiel ist aus: {scores}.',
  'marrakech.covered': '{colour} von {owner} auf {square}',
  'marrakech.covered.neutral': 'neutrales {colour} auf {square}',

  // ---- what is to be done
  'marrakech.todo.turn.mine': '{name}, du bist am Zug: Wähle, wohin Assam blickt, dann wird gewürfelt.',
  'marrakech.todo.turn.other': '{name} wählt, wohin Assam blickt.',
  'marrakech.todo.lay.mine': '{name}, lege deinen Teppich in {colour} neben Assam.',
  'marrakech.todo.lay.other': '{name} legt einen Teppich in {colour}.',
  'marrakech.todo.turn_last.must.mine': '{name}, drehe Assam für den nächsten Spieler nach links oder rechts.',
  'marrakech.todo.turn_last.must.other': '{name} dreht Assam für den nächsten Spieler.',
  'marrakech.todo.turn_last.may.mine': '{name}, wähle, wohin Assam für den nächsten Spieler blickt.',
  'marrakech.todo.turn_last.may.other': '{name} wählt, wohin Assam für den nächsten Spieler blickt.',
  'marrakech.todo.over': 'Das Spiel ist aus.',
  'marrakech.tie': 'Gleich viele Punkte wie {others}: Es entscheidet, wer mehr Dirham hat.',

  // ---- actions
  'marrakech.act.left': 'Assam nach links drehen, nach {facing}',
  'marrakech.act.ahead': 'Assam geradeaus blicken lassen, nach {facing}',
  'marrakech.act.right': 'Assam nach rechts drehen, nach {facing}',
  'marrakech.act.lay': '{colour} auf {one} und {other} legen',
  'marrakech.act.die': 'Der Würfel zeigt {die}',
  'marrakech.act.drawn': 'Ein Teppich wird gezogen: {colour}',
  'marrakech.hinted': '{action} (das würde der Computer tun)',

  // ---- the choice, beside the board
  'marrakech.controls': 'Deine Wahl',
  'marrakech.turn.left': 'Links',
  'marrakech.turn.ahead': 'Geradeaus',
  'marrakech.turn.right': 'Rechts',
  'marrakech.turn.average': '{action}: {gain} im Schnitt',
  'marrakech.stop.free.all': 'Assam kann auf {squares} stehen bleiben: Du würdest nirgends etwas zahlen.',
  'marrakech.stop.free.all.other': 'Assam kann auf {squares} stehen bleiben: {name} würde nirgends etwas zahlen.',
  'marrakech.stop.free': 'Assam kann auf {squares} stehen bleiben (in {chance} von {of} Fällen): Du würdest nichts zahlen.',
  'marrakech.stop.free.other': 'Assam kann auf {squares} stehen bleiben (in {chance} von {of} Fällen): {name} würde nichts zahlen.',
  'marrakech.stop.pay': 'Assam kann auf {squares} stehen bleiben (in {chance} von {of} Fällen): Du würdest {paid} an {owner} zahlen.',
  'marrakech.stop.out': 'Assam kann auf {squares} stehen bleiben (in {chance} von {of} Fällen): Du würdest alles, was du hast, {paid}, an {owner} zahlen und ausscheiden.',
  'marrakech.stop.out.other': 'Assam kann auf {squares} stehen bleiben (in {chance} von {of} Fällen): {name} würde alles, was noch da ist, {paid}, an {owner} zahlen und ausscheiden.',
  'marrakech.stop.earn': 'Assam kann auf {squares} stehen bleiben (in {chance} von {of} Fällen): {name} würde dir {paid} zahlen.',
  'marrakech.stop.other': 'Assam kann auf {squares} stehen bleiben (in {chance} von {of} Fällen): {name} würde {paid} an {owner} zahlen.',
  'marrakech.stop.chance': '{chance}/{of}',
  'marrakech.stop.badge.out': 'raus',
  'marrakech.lay.how': 'Wähle zwei Felder neben Assam, zieh den Teppich dorthin oder nimm eine Stelle aus der Liste.',
  'marrakech.lay.places': 'Stellen für den Teppich',
  'marrakech.place': '{one} und {other}',
  'marrakech.place.over': '{one} und {other}, verdeckt {covered}',
  'marrakech.place.gain': '{place}: {gain}',
  'marrakech.place.short': '{one}–{other}',
  'marrakech.lay.score': '{name} {gain}, dann {score}',

  // ---- the board, read out
  'marrakech.board': 'Der Spielplan von Marrakech',
  'marrakech.board.assam': 'Assam steht auf {square} und blickt nach {facing}.',
  'marrakech.board.rugs': 'Teppiche von {owner} ({colour}) auf {n|one:# Feld|other:# Feldern}: {squares}.',
  'marrakech.board.neutral': 'Neutrale Teppiche ({colour}) auf {n|one:# Feld|other:# Feldern}: {squares}.',
  'marrakech.board.bare': 'Auf dem Spielplan liegen keine Teppiche.',
  'marrakech.hand': 'Zu legen ist ein Teppich in {colour}: Zieh ihn auf den Spielplan',

  // ---- what a player holds
  'marrakech.purse.dirhams': '{n|one:# Dirham|other:# Dirham}',
  'marrakech.purse.rugs': '{colour}: noch {n|one:# Teppich|other:# Teppiche}',
  'marrakech.purse.next': '{colour}: noch {n|one:# Teppich|other:# Teppiche}, der nächste wird gelegt',
  'marrakech.purse.next.short': 'nächster',
  'marrakech.purse.out': 'Ausgeschieden; die Teppiche sind neutral',

  // ---- a first game, phase by phase
  'marrakech.hint.turn':
    'Drehe Assam um eine Vierteldrehung nach links oder rechts, oder lass ihn geradeaus blicken. Dann entscheidet der Würfel (1, 2, 2, 3, 3, 4), wie weit er läuft; bleibt er auf einem fremden Teppich stehen, zahlst du einen Dirham für jedes Feld dieser Farbe, das damit zusammenhängt.',
  'marrakech.hint.lay':
    'Lege deinen Teppich auf zwei Felder neben Assam. Er darf Hälften anderer Teppiche verdecken, aber nie beide Hälften ein und desselben. Am Ende ist jedes Feld, auf dem dein Teppich zu sehen ist, einen Punkt wert, und jeder Dirham ebenso.',
  'marrakech.hint.turn_last':
    'In dieser Variante wird Assam nach dem Legen gedreht: Du bestimmst, wohin der nächste Spieler ihn losschickt.',

  // ---- editions
  'marrakech.edition.gigamic':
    'Die Schachtel von Gigamic mit 60 Teppichen: Wer nicht zahlen kann, scheidet aus. Die richtige für den Anfang, für jede Runde von zwei bis vier.',
  'marrakech.edition.gigamic-57':
    'Das ältere Regelblatt mit 57 Teppichen: Wer nicht zahlen kann, gibt, was noch da ist, und spielt weiter. Für Familien und für alle, die bis zum Ende dabei sein wollen.',
  'marrakech.edition.pergioco':
    'Das Regelblatt von pergioco.net: Zu zweit liegen die Stapel verdeckt, und erst dein Zug zeigt, welche Farbe du legst. Für zwei, die Überraschungen mögen.',
};
