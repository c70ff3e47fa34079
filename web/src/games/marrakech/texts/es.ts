/** What Marrakech says, in Spanish. */
export default {
  'marrakech.name': 'Marrakech',

  'marrakech.colour.red': 'rojo',
  'marrakech.colour.yellow': 'amarillo',
  'marrakech.colour.blue': 'azul',
  'marrakech.colour.orange': 'naranja',
  'marrakech.facing.N': 'norte',
  'marrakech.facing.E': 'este',
  'marrakech.facing.S': 'sur',
  'marrakech.facing.W': 'oeste',

  // ---- what happened
  'marrakech.told.drew': 'La próxima alfombra de {name} es de color {colour}.',
  'marrakech.told.turned.left': '{name} gira a Assam a la izquierda, hacia el {facing}.',
  'marrakech.told.turned.ahead': '{name} deja que Assam mire al {facing}.',
  'marrakech.told.turned.right': '{name} gira a Assam a la derecha, hacia el {facing}.',
  'marrakech.told.walked': '{name} saca un {die}. Assam avanza: {path}.',
  'marrakech.told.round': 'por el arco a {square}',
  'marrakech.told.paid': '{name} paga {paid|one:# dirham|other:# dirhams} a {owner} por el {colour}.',
  'marrakech.told.paid.short': '{name} debe {owed|one:# dirham|other:# dirhams} a {owner} y paga todo lo que tiene: {paid}.',
  'marrakech.told.out': '{name} queda fuera. Sus alfombras se quedan como neutrales.',
  'marrakech.told.laid': '{name} coloca una alfombra de color {colour} en {one} y {other}.',
  'marrakech.told.laid.over': '{name} coloca una alfombra de color {colour} en {one} y {other}, sobre {covered}.',
  'marrakech.told.score': '{name} {score}',
  'marrakech.told.over': 'La partida ha terminado: {scores}.',
  'marrakech.covered': 'el {colour} de {owner} en {square}',
  'marrakech.covered.neutral': 'el {colour} neutral en {square}',

  // ---- what is to be done
  'marrakech.todo.turn.mine': '{name}, te toca: elige hacia dónde mira Assam; después se tira el dado.',
  'marrakech.todo.turn.other': '{name} elige hacia dónde mira Assam.',
  'marrakech.todo.lay.mine': '{name}, coloca tu alfombra de color {colour} junto a Assam.',
  'marrakech.todo.lay.other': '{name} coloca una alfombra de color {colour}.',
  'marrakech.todo.turn_last.must.mine': '{name}, gira a Assam a la izquierda o a la derecha para el siguiente jugador.',
  'marrakech.todo.turn_last.must.other': '{name} gira a Assam para el siguiente jugador.',
  'marrakech.todo.turn_last.may.mine': '{name}, elige hacia dónde mira Assam para el siguiente jugador.',
  'marrakech.todo.turn_last.may.other': '{name} elige hacia dónde mira Assam para el siguiente jugador.',
  'marrakech.todo.over': 'La partida ha terminado.',
  'marrakech.tie': 'Con los mismos puntos que {others}, decide quién tiene más dirhams.',

  // ---- actions
  'marrakech.act.left': 'Girar a Assam a la izquierda, hacia el {facing}',
  'marrakech.act.ahead': 'Dejar que Assam mire al frente, hacia el {facing}',
  'marrakech.act.right': 'Girar a Assam a la derecha, hacia el {facing}',
  'marrakech.act.lay': 'Colocar la alfombra de color {colour} en {one} y {other}',
  'marrakech.act.die': 'El dado muestra un {die}',
  'marrakech.act.drawn': 'Sale una alfombra: {colour}',
  'marrakech.hinted': '{action} (es lo que haría el ordenador)',

  // ---- the choice, beside the board
  'marrakech.controls': 'Tu elección',
  'marrakech.turn.left': 'Izquierda',
  'marrakech.turn.ahead': 'Al frente',
  'marrakech.turn.right': 'Derecha',
  'marrakech.turn.average': '{action}: {gain} de media',
  'marrakech.stop.free.all': 'Assam puede detenerse en {squares}: no pagarías nada en ningún caso.',
  'marrakech.stop.free.all.other': 'Assam puede detenerse en {squares}: {name} no pagaría nada en ningún caso.',
  'marrakech.stop.free': 'Assam puede detenerse en {squares} ({chance} de cada {of} veces): no pagarías nada.',
  'marrakech.stop.free.other': 'Assam puede detenerse en {squares} ({chance} de cada {of} veces): {name} no pagaría nada.',
  'marrakech.stop.pay': 'Assam puede detenerse en {squares} ({chance} de cada {of} veces): pagarías {paid} a {owner}.',
  'marrakech.stop.out': 'Assam puede detenerse en {squares} ({chance} de cada {of} veces): pagarías a {owner} todo lo que tienes, {paid}, y quedarías fuera.',
  'marrakech.stop.out.other': 'Assam puede detenerse en {squares} ({chance} de cada {of} veces): {name} pagaría a {owner} todo lo que tiene, {paid}, y quedaría fuera.',
  'marrakech.stop.earn': 'Assam puede detenerse en {squares} ({chance} de cada {of} veces): {name} te pagaría {paid}.',
  'marrakech.stop.other': 'Assam puede detenerse en {squares} ({chance} de cada {of} veces): {name} pagaría {paid} a {owner}.',
  'marrakech.stop.chance': '{chance}/{of}',
  'marrakech.stop.badge.out': 'fuera',
  'marrakech.lay.how': 'Elige dos casillas junto a Assam, arrastra la alfombra hasta allí o elige un sitio de la lista.',
  'marrakech.lay.places': 'Sitios para la alfombra',
  'marrakech.place': '{one} y {other}',
  'marrakech.place.over': '{one} y {other}, cubre {covered}',
  'marrakech.place.gain': '{place}: {gain}',
  'marrakech.place.short': '{one}–{other}',
  'marrakech.lay.score': '{name} {gain}, queda con {score}',

  // ---- the board, read out
  'marrakech.board': 'El tablero de Marrakech',
  'marrakech.board.assam': 'Assam está en {square} y mira al {facing}.',
  'marrakech.board.rugs': 'Alfombras de {owner} ({colour}) en {n|one:# casilla|other:# casillas}: {squares}.',
  'marrakech.board.neutral': 'Alfombras neutrales ({colour}) en {n|one:# casilla|other:# casillas}: {squares}.',
  'marrakech.board.bare': 'No hay alfombras en el tablero.',
  'marrakech.hand': 'La alfombra que toca colocar es de color {colour}: arrástrala al tablero',

  // ---- what a player holds
  'marrakech.purse.dirhams': '{n|one:# dirham|other:# dirhams}',
  'marrakech.purse.rugs': '{colour}: {n|one:queda # alfombra|other:quedan # alfombras}',
  'marrakech.purse.next': '{colour}: {n|one:queda # alfombra|other:quedan # alfombras}, y es el próximo color',
  'marrakech.purse.next.short': 'próxima',
  'marrakech.purse.out': 'Fuera; sus alfombras son neutrales',

  // ---- a first game, phase by phase
  'marrakech.hint.turn':
    'Gira a Assam un cuarto de vuelta a la izquierda o a la derecha, o deja que mire al frente. Después el dado (1, 2, 2, 3, 3, 4) decide cuánto avanza; si se detiene en una alfombra de otro jugador, le pagas un dirham por cada casilla de ese color unida a la de Assam.',
  'marrakech.hint.lay':
    'Coloca tu alfombra sobre dos casillas junto a Assam. Puede cubrir mitades de otras alfombras, pero nunca las dos mitades de una misma. Al final, cada casilla en la que se ve una alfombra tuya y cada dirham valen un punto.',
  'marrakech.hint.turn_last':
    'En esta variante se gira a Assam después de colocar: tú eliges hacia dónde sale con el siguiente jugador.',

  // ---- editions
  'marrakech.edition.gigamic':
    'La caja de Gigamic, con 60 alfombras: quien no puede pagar queda fuera. La mejor para empezar, de dos a cuatro jugadores.',
  'marrakech.edition.gigamic-57':
    'La hoja de reglas anterior, con 57 alfombras: quien no puede pagar da lo que le queda y sigue jugando. Para familias y para quien quiera jugar hasta el final.',
  'marrakech.edition.pergioco':
    'La hoja de reglas de pergioco.net: con dos jugadores las pilas están boca abajo, y solo en tu turno se ve qué color colocas. Para dos a quienes les gusten las sorpresas.',
};
