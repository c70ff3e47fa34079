/** What Marrakech says, in Portuguese. */
export default {
  'marrakech.name': 'Marrakech',

  'marrakech.colour.red': 'vermelho',
  'marrakech.colour.yellow': 'amarelo',
  'marrakech.colour.blue': 'azul',
  'marrakech.colour.orange': 'laranja',
  'marrakech.facing.N': 'norte',
  'marrakech.facing.E': 'leste',
  'marrakech.facing.S': 'sul',
  'marrakech.facing.W': 'oeste',

  // ---- what happened
  'marrakech.told.drew': 'O próximo tapete de {name} é {colour}.',
  'marrakech.told.turned.left': '{name} vira Assam à esquerda, para {facing}.',
  'marrakech.told.turned.ahead': '{name} deixa Assam virado para {facing}.',
  'marrakech.told.turned.right': '{name} vira Assam à direita, para {facing}.',
  'marrakech.told.walked': '{name} lança o dado e sai {die}. Assam avança: {path}.',
  'marrakech.told.round': 'pelo arco até {square}',
  'marrakech.told.paid': '{name} paga {paid|one:# dirham|other:# dirhams} a {owner} pelo {colour}.',
  'marrakech.told.paid.short': '{name} deve {owed|one:# dirham|other:# dirhams} a {owner} e paga tudo o que tem: {paid}.',
  'marrakech.told.out': '{name} fica fora. Os seus tapetes ficam como neutros.',
  'marrakech.told.laid': '{name} coloca um tapete {colour} em {one} e {other}.',
  'marrakech.told.laid.over': '{name} coloca um tapete {colour} em {one} e {other}, sobre {covered}.',
  'marrakech.told.score': '{name} {score}',
  'marrakech.told.over': 'O jogo acabou: {scores}.',
  'marrakech.covered': 'o {colour} de {owner} em {square}',
  'marrakech.covered.neutral': 'o {colour} neutro em {square}',

  // ---- what is to be done
  'marrakech.todo.turn.mine': '{name}, é a tua vez: escolhe para onde Assam olha; depois lança-se o dado.',
  'marrakech.todo.turn.other': '{name} escolhe para onde Assam olha.',
  'marrakech.todo.lay.mine': '{name}, coloca o teu tapete {colour} ao lado de Assam.',
  'marrakech.todo.lay.other': '{name} coloca um tapete {colour}.',
  'marrakech.todo.turn_last.must.mine': '{name}, vira Assam à esquerda ou à direita para o jogador seguinte.',
  'marrakech.todo.turn_last.must.other': '{name} vira Assam para o jogador seguinte.',
  'marrakech.todo.turn_last.may.mine': '{name}, escolhe para onde Assam olha no turno do jogador seguinte.',
  'marrakech.todo.turn_last.may.other': '{name} escolhe para onde Assam olha no turno do jogador seguinte.',
  'marrakech.todo.over': 'O jogo acabou.',
  'marrakech.tie': 'Com os mesmos pontos que {others}, decide quem tem mais dirhams.',

  // ---- actions
  'marrakech.act.left': 'Virar Assam à esquerda, para {facing}',
  'marrakech.act.ahead': 'Deixar Assam a olhar em frente, para {facing}',
  'marrakech.act.right': 'Virar Assam à direita, para {facing}',
  'marrakech.act.lay': 'Colocar o tapete {colour} em {one} e {other}',
  'marrakech.act.die': 'O dado mostra {die}',
  'marrakech.act.drawn': 'Sai um tapete: {colour}',
  'marrakech.hinted': '{action} (é o que o computador faria)',

  // ---- the choice, beside the board
  'marrakech.controls': 'A tua escolha',
  'marrakech.turn.left': 'Esquerda',
  'marrakech.turn.ahead': 'Em frente',
  'marrakech.turn.right': 'Direita',
  'marrakech.turn.average': '{action}: {gain} em média',
  'marrakech.stop.free.all': 'Assam pode parar em {squares}: não pagarias nada em nenhum caso.',
  'marrakech.stop.free.all.other': 'Assam pode parar em {squares}: {name} não pagaria nada em nenhum caso.',
  'marrakech.stop.free': 'Assam pode parar em {squares} ({chance} em cada {of} vezes): não pagarias nada.',
  'marrakech.stop.free.other': 'Assam pode parar em {squares} ({chance} em cada {of} vezes): {name} não pagaria nada.',
  'marrakech.stop.pay': 'Assam pode parar em {squares} ({chance} em cada {of} vezes): pagarias {paid} a {owner}.',
  'marrakech.stop.out': 'Assam pode parar em {squares} ({chance} em cada {of} vezes): pagarias a {owner} tudo o que tens, {paid}, e ficarias fora.',
  'marrakech.stop.out.other': 'Assam pode parar em {squares} ({chance} em cada {of} vezes): {name} pagaria a {owner} tudo o que tem, {paid}, e ficaria fora.',
  'marrakech.stop.earn': 'Assam pode parar em {squares} ({chance} em cada {of} vezes): {name} teria de te pagar {paid}.',
  'marrakech.stop.other': 'Assam pode parar em {squares} ({chance} em cada {of} vezes): {name} pagaria {paid} a {owner}.',
  'marrakech.stop.chance': '{chance}/{of}',
  'marrakech.stop.badge.out': 'fora',
  'marrakech.lay.how': 'Escolhe duas casas ao lado de Assam, arrasta o tapete para lá ou escolhe na lista.',
  'marrakech.lay.places': 'Onde colocar o tapete',
  'marrakech.place': '{one} e {other}',
  'marrakech.place.over': '{one} e {other}, cobre {covered}',
  'marrakech.place.gain': '{place}: {gain}',
  'marrakech.place.short': '{one}–{other}',
  'marrakech.lay.score': '{name} {gain}, fica com {score}',

  // ---- the board, read out
  'marrakech.board': 'O tabuleiro de Marrakech',
  'marrakech.board.assam': 'Assam está em {square}, virado para {facing}.',
  'marrakech.board.rugs': 'Tapetes de {owner} ({colour}) em {n|one:# casa|other:# casas}: {squares}.',
  'marrakech.board.neutral': 'Tapetes neutros ({colour}) em {n|one:# casa|other:# casas}: {squares}.',
  'marrakech.board.bare': 'Não há tapetes no tabuleiro.',
  'marrakech.hand': 'O tapete a colocar é {colour}: arrasta-o para o tabuleiro',

  // ---- what a player holds
  'marrakech.purse.dirhams': '{n|one:# dirham|other:# dirhams}',
  'marrakech.purse.rugs': '{colour}: {n|one:resta # tapete|other:restam # tapetes}',
  'marrakech.purse.next': '{colour}: {n|one:resta # tapete|other:restam # tapetes}, e é a próxima cor',
  'marrakech.purse.next.short': 'próximo',
  'marrakech.purse.out': 'Fora; os seus tapetes são neutros',

  // ---- a first game, phase by phase
  'marrakech.hint.turn':
    'Vira Assam um quarto de volta para a esquerda ou para a direita, ou deixa-o a olhar em frente. Depois, o dado (1, 2, 2, 3, 3, 4) decide quanto ele avança; se parar num tapete de outro jogador, pagas-lhe um dirham por cada casa dessa cor ligada à de Assam.',
  'marrakech.hint.lay':
    'Coloca o teu tapete em duas casas ao lado de Assam. Pode cobrir metades de outros tapetes, mas nunca as duas metades do mesmo. No fim, cada casa em que se vê um tapete teu e cada dirham valem um ponto.',
  'marrakech.hint.turn_last':
    'Nesta variante, vira-se Assam depois de colocar: és tu que escolhes para onde ele parte com o jogador seguinte.',

  // ---- editions
  'marrakech.edition.gigamic':
    'A caixa da Gigamic, com 60 tapetes: quem não puder pagar fica fora. A melhor para começar, de dois a quatro jogadores.',
  'marrakech.edition.gigamic-57':
    'A folha de regras mais antiga, com 57 tapetes: quem não puder pagar dá o que lhe resta e continua a jogar. Para famílias e para quem quer jogar até ao fim.',
  'marrakech.edition.pergioco':
    'A folha de regras de pergioco.net: com dois jogadores, as pilhas ficam viradas para baixo, e só no teu turno se vê que cor colocas. Para dois que gostem de surpresas.',
};
