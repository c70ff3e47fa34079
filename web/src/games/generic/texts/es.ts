/** The texts of the generic table, in Spanish. */
export default {
  'generic.drawing': 'Dibujando el tablero…',
  'generic.actions': 'Tus opciones',
  'generic.choose': 'Elegir',
  'generic.confirm': 'Elegir: {action}',
  'generic.hinted': '{action} (es lo que haría el ordenador)',
};
