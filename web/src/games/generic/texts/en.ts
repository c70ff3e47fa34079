/** The texts of the generic table, in English. */
export default {
  'generic.drawing': 'Drawing the board…',
  'generic.actions': 'Your actions',
  'generic.choose': 'Choose',
  'generic.confirm': 'Choose: {action}',
  'generic.hinted': '{action} (the computer would do this)',
};
