/** The texts of the generic table, in Italian. */
export default {
  'generic.drawing': 'Il tabellone viene disegnato…',
  'generic.actions': 'Le tue possibilità',
  'generic.choose': 'Scegli',
  'generic.confirm': 'Scegli: {action}',
  'generic.hinted': '{action} (il computer farebbe così)',
};
