/** The texts of the generic table, in French. */
export default {
  'generic.drawing': 'Dessin du plateau…',
  'generic.actions': 'Vos possibilités',
  'generic.choose': 'Choisir',
  'generic.confirm': 'Choisir : {action}',
  'generic.hinted': '{action} (c’est ce que ferait l’ordinateur)',
};
