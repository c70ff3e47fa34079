/** The texts of the generic table, in Dutch. */
export default {
  'generic.drawing': 'Het speelbord wordt getekend…',
  'generic.actions': 'Je mogelijkheden',
  'generic.choose': 'Kiezen',
  'generic.confirm': 'Kiezen: {action}',
  'generic.hinted': '{action} (dit zou de computer doen)',
};
