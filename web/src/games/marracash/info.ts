import type { GameInfo } from '../types';

const info: GameInfo = {
  title: 'MarraCash',
  about: {
    en: 'Buy shops in the souk at auction and move visitors to them. A little longer and deeper.',
    de: 'Ersteigere Läden im Souk und führe Besucher hinein. Etwas länger und anspruchsvoller.',
    fr: 'Achetez aux enchères des boutiques du souk et amenez-y les visiteurs. Un peu plus long et plus stratégique.',
    es: 'Compra en subasta tiendas del zoco y lleva hasta ellas a los visitantes. Algo más largo y estratégico.',
    it: 'Compra all’asta le botteghe del souk e portaci i visitatori. Un po’ più lungo e strategico.',
    nl: 'Koop winkels in de souk op veilingen en breng er bezoekers naartoe. Iets langer en pittiger.',
    pt: 'Compra em leilão lojas do souk e leva até elas os visitantes. Um pouco mais longo e mais estratégico.',
  },
  order: 2,
  presetKnob: 'layout',
  defaultPreset: 'classic1996',
  soloPlayers: 3,
  hasNoAnalysis: true,
};
export default info;
