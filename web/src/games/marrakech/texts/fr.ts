/** What Marrakech says in French. A no-break space stands before : ; ! ? and inside « ». */
export default {
  'marrakech.name': 'Marrakech',

  'marrakech.colour.red': 'rouge',
  'marrakech.colour.yellow': 'jaune',
  'marrakech.colour.blue': 'bleu',
  'marrakech.colour.orange': 'orange',
  'marrakech.facing.N': 'vers le nord',
  'marrakech.facing.E': 'vers l’est',
  'marrakech.facing.S': 'vers le sud',
  'marrakech.facing.W': 'vers l’ouest',

  // ---- what happened
  'marrakech.told.drew': 'Prochain tapis pour {name} : {colour}.',
  'marrakech.told.turned.left': '{name} tourne Assam à gauche, {facing}.',
  'marrakech.told.turned.ahead': '{name} laisse Assam regarder {facing}.',
  'marrakech.told.turned.right': '{name} tourne Assam à droite, {facing}.',
  'marrakech.told.walked': '{name} fait {die} et Assam avance : {path}.',
  'marrakech.told.round': 'par l’arc en {square}',
  'marrakech.told.paid': '{name} paie {paid|one:# dirham|other:# dirhams} à {owner} (tapis {colour}).',
  'marrakech.told.paid.short': '{name} doit {owed|one:# dirham|other:# dirhams} à {owner} et donne tout ce qui lui reste : {paid}.',
  'marrakech.told.out': '{name} est hors jeu. Ses tapis restent, mais neutres.',
  'marrakech.told.laid': '{name} pose un tapis {colour} sur {one} et {other}.',
  'marrakech.told.laid.over': '{name} pose un tapis {colour} sur {one} et {other}, par-dessus {covered}.',
  'marrakech.told.score': '{name} {score}',
  'marrakech.told.over': 'La partie est finie : {scores}.',
  'marrakech.covered': 'un tapis {colour} ({owner}) en {square}',
  'marrakech.covered.neutral': 'un tapis {colour} neutre en {square}',

  // ---- what is to be done
  'marrakech.todo.turn.mine': '{name}, à vous de jouer : choisissez où Assam regarde, puis le dé est lancé.',
  'marrakech.todo.turn.other': '{name} choisit où Assam regarde.',
  'marrakech.todo.lay.mine': '{name}, posez votre tapis {colour} à côté d’Assam.',
  'marrakech.todo.lay.other': '{name} pose un tapis {colour}.',
  'marrakech.todo.turn_last.must.mine': '{name}, tournez Assam à gauche ou à droite pour le joueur suivant.',
  'marrakech.todo.turn_last.must.other': '{name} tourne Assam pour le joueur suivant.',
  'marrakech.todo.turn_last.may.mine': '{name}, choisissez où Assam regarde pour le joueur suivant.',
  'marrakech.todo.turn_last.may.other': '{name} choisit où Assam regarde pour le joueur suivant.',
  'marrakech.todo.over': 'La partie est finie.',
  'marrakech.tie': 'À égalité de points avec {others}, c’est le plus grand nombre de dirhams qui décide.',

  // ---- actions
  'marrakech.act.left': 'Tourner Assam à gauche, {facing}',
  'marrakech.act.ahead': 'Laisser Assam regarder droit devant lui, {facing}',
  'marrakech.act.right': 'Tourner Assam à droite, {facing}',
  'marrakech.act.lay': 'Poser un tapis {colour} sur {one} et {other}',
  'marrakech.act.die': 'Le dé donne {die}',
  'marrakech.act.drawn': 'Un tapis est pioché : {colour}',
  'marrakech.hinted': '{action} (c’est ce que ferait l’ordinateur)',

  // ---- the choice, beside the board
  'marrakech.controls': 'Votre choix',
  'marrakech.turn.left': 'À gauche',
  'marrakech.turn.ahead': 'Tout droit',
  'marrakech.turn.right': 'À droite',
  'marrakech.turn.average': '{action} : {gain} en moyenne',
  'marrakech.stop.free.all': 'Assam peut s’arrêter en {squares} : vous ne paieriez rien nulle part.',
  'marrakech.stop.free.all.other': 'Assam peut s’arrêter en {squares} : {name} ne paierait rien nulle part.',
  'marrakech.stop.free': 'Assam peut s’arrêter en {squares} ({chance|one:# chance|other:# chances} sur {of}) : vous ne paieriez rien.',
  'marrakech.stop.free.other': 'Assam peut s’arrêter en {squares} ({chance|one:# chance|other:# chances} sur {of}) : {name} ne paierait rien.',
  'marrakech.stop.pay': 'Assam peut s’arrêter en {squares} ({chance|one:# chance|other:# chances} sur {of}) : vous paieriez {paid} à {owner}.',
  'marrakech.stop.out': 'Assam peut s’arrêter en {squares} ({chance|one:# chance|other:# chances} sur {of}) : vous donneriez tout ce que vous avez, {paid}, à {owner} et vous seriez hors jeu.',
  'marrakech.stop.out.other': 'Assam peut s’arrêter en {squares} ({chance|one:# chance|other:# chances} sur {of}) : {name} donnerait à {owner} tout ce qui lui reste, {paid}, et serait hors jeu.',
  'marrakech.stop.earn': 'Assam peut s’arrêter en {squares} ({chance|one:# chance|other:# chances} sur {of}) : {name} vous paierait {paid}.',
  'marrakech.stop.other': 'Assam peut s’arrêter en {squares} ({chance|one:# chance|other:# chances} sur {of}) : {name} paierait {paid} à {owner}.',
  'marrakech.stop.chance': '{chance}/{of}',
  'marrakech.stop.badge.out': 'hors jeu',
  'marrakech.lay.how': 'Choisissez deux cases à côté d’Assam, faites-y glisser le tapis, ou prenez un endroit dans la liste.',
  'marrakech.lay.places': 'Endroits pour le tapis',
  'marrakech.place': '{one} et {other}',
  'marrakech.place.over': '{one} et {other}, recouvre {covered}',
  'marrakech.place.gain': '{place} : {gain}',
  'marrakech.place.short': '{one}–{other}',
  'marrakech.lay.score': '{name} {gain}, puis {score}',

  // ---- the board, read out
  'marrakech.board': 'Le plateau de Marrakech',
  'marrakech.board.assam': 'Assam est en {square} et regarde {facing}.',
  'marrakech.board.rugs': '{owner} (tapis {colour}) a {n|one:# case|other:# cases} : {squares}.',
  'marrakech.board.neutral': 'Tapis neutres ({colour}) sur {n|one:# case|other:# cases} : {squares}.',
  'marrakech.board.bare': 'Il n’y a pas de tapis sur le plateau.',
  'marrakech.hand': 'Le tapis à poser est {colour} : faites-le glisser sur le plateau',

  // ---- what a player holds
  'marrakech.purse.dirhams': '{n|one:# dirham|other:# dirhams}',
  'marrakech.purse.rugs': '{colour} : {n|one:# tapis restant|other:# tapis restants}',
  'marrakech.purse.next': '{colour} : {n|one:# tapis restant|other:# tapis restants}, le prochain à poser',
  'marrakech.purse.next.short': 'prochain',
  'marrakech.purse.out': 'Hors jeu ; les tapis sont neutres',

  // ---- a first game, phase by phase
  'marrakech.hint.turn':
    'Tournez Assam d’un quart de tour à gauche ou à droite, ou laissez-le regarder droit devant lui. Le dé (1, 2, 2, 3, 3, 4) décide ensuite de combien de cases il avance ; s’il s’arrête sur le tapis de quelqu’un d’autre, vous payez un dirham pour chaque case de cette couleur reliée à la sienne, la sienne comprise.',
  'marrakech.hint.lay':
    'Posez votre tapis sur deux cases à côté d’Assam. Il peut recouvrir des moitiés d’autres tapis, mais jamais les deux moitiés d’un même tapis. À la fin, chaque case où l’on voit un de vos tapis et chaque dirham valent un point.',
  'marrakech.hint.turn_last':
    'Dans cette variante, on tourne Assam après la pose : c’est vous qui choisissez par où le joueur suivant le fera partir.',

  // ---- editions
  'marrakech.edition.gigamic':
    'La boîte de Gigamic avec 60 tapis : qui ne peut pas payer est hors jeu. Celle par où commencer, à deux, trois ou quatre.',
  'marrakech.edition.gigamic-57':
    'L’ancienne règle avec 57 tapis : qui ne peut pas payer donne ce qui lui reste et continue à jouer. Pour les familles, et pour tous ceux qui veulent jouer jusqu’au bout.',
  'marrakech.edition.pergioco':
    'La règle de pergioco.net : à deux, les piles sont face cachée, et vous ne découvrez la couleur à poser qu’à votre tour. Pour deux joueurs qui aiment les surprises.',
};
