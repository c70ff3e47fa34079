import type { GameInfo } from '../types';
import StartScene from './start/StartScene.svelte';

const info: GameInfo = {
  title: 'Marrakech',
  about: {
    en: 'Move Assam the rug seller, lay your rugs and collect from everyone who lands on them. Quick to learn.',
    de: 'Lenke den Teppichhändler Assam, lege Teppiche und kassiere, wenn andere auf deinen landen. Schnell gelernt.',
    fr: 'Guidez Assam, le marchand de tapis, posez vos tapis et touchez la dîme quand les autres s’y arrêtent. Règles vite apprises.',
    es: 'Guía a Assam, el vendedor de alfombras, coloca las tuyas y cobra a quien se detenga en ellas. Se aprende enseguida.',
    it: 'Guida Assam, il mercante di tappeti, posa i tuoi tappeti e fai pagare chi ci si ferma sopra. Si impara in un attimo.',
    nl: 'Stuur tapijthandelaar Assam over de markt, leg je tapijten en int geld van wie erop belandt. Snel geleerd.',
    pt: 'Guia o Assam, o vendedor de tapetes, coloca os teus tapetes e recebe de quem parar neles. Aprende-se depressa.',
  },
  order: 1,
  presetKnob: 'edition',
  defaultPreset: 'gigamic',
  seatKnob: 'first',
  soloPlayers: 2,
  StartScene,
};
export default info;
