/** The version of the Plotly that `build.mjs` packed. */
declare const PLOTLY_VERSION: string;
