/** The texts of the generic table, in Portuguese. */
export default {
  'generic.drawing': 'A desenhar o tabuleiro…',
  'generic.actions': 'As tuas opções',
  'generic.choose': 'Escolher',
  'generic.confirm': 'Escolher: {action}',
  'generic.hinted': '{action} (é o que o computador faria)',
};
