/** What distinguishes the lines of a chart besides colour. */
export const DASHES = ['none', '7 3', '2 3', '9 3 2 3', '5 5'];
export const MARKERS = [
  'M0-4.2a4.2 4.2 0 1 0 .01 0z', // circle
  'M-3.8-3.8h7.6v7.6h-7.6z', // square
  'M0-4.8L4.6 3.6h-9.2z', // triangle
  'M0-5L5 0L0 5L-5 0z', // diamond
  'M-2.6-4.5h5.2L5.2 0L2.6 4.5h-5.2L-5.2 0z', // hexagon
];
