import type { Language } from '../../../lib/texts.svelte';

/** What the picture shows; not in `texts`, which the start page does not load. */
export const SCENE_TEXTS: Record<Language, string> = {
  en: 'A courtyard at dusk: Assam the rug seller stands before an arch, surrounded by patterned rugs.',
  de: 'Ein Innenhof in der Dämmerung: Der Teppichhändler Assam steht vor einem Bogen, umgeben von gemusterten Teppichen.',
  fr: 'Une cour au crépuscule : Assam, le marchand de tapis, se tient devant une arche, entouré de tapis à motifs.',
  es: 'Un patio al anochecer: Assam, el vendedor de alfombras, está ante un arco, rodeado de alfombras con dibujos.',
  it: 'Un cortile al crepuscolo: Assam, il mercante di tappeti, sta davanti a un arco, circondato da tappeti di ogni disegno.',
  nl: 'Een binnenplaats in de schemering: de tapijthandelaar Assam staat voor een boog, omringd door tapijten met patronen.',
  pt: 'Um pátio ao anoitecer: o Assam, vendedor de tapetes, está diante de um arco, rodeado de tapetes com muitos padrões.',
};
