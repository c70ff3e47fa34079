/** The texts of the generic table, in German. */
export default {
  'generic.drawing': 'Der Spielplan wird gezeichnet…',
  'generic.actions': 'Deine Möglichkeiten',
  'generic.choose': 'Wählen',
  'generic.confirm': 'Wählen: {action}',
  'generic.hinted': '{action} (das würde der Computer tun)',
};
