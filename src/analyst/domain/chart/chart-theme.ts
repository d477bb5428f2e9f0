export interface Theme {
  readonly paper: string
  readonly ink: string
  readonly soft: string
  readonly line: string
  /** One colour for each series, distinguishable by brightness as well as by hue. */
  readonly colours: readonly string[]
}

/** Restrained palettes: the accent colour is first, everything else is muted. */
export const THEMES: Readonly<Record<ChartSize['theme'], Theme>> = {
  light: {
    paper: '#FBFAF7',
    ink: '#1D1C1A',
    soft: '#5C5952',
    line: '#E3E1DC',
    colours: [
      '#0B6B62',
      '#C98A1B',
      '#2B5FA8',
      '#B3352B',
      '#7FA99B',
      '#6B4E8E',
      '#8C887F',
      '#D58A7A',
      '#4E8F3C',
      '#8DB4DC',
      '#7A5A2E',
      '#B58BC2',
    ],
  },
  dark: {
    paper: '#141413',
    ink: '#ECE9E2',
    soft: '#A8A499',
    line: '#33322E',
    colours: [
      '#5CC2B4',
      '#E0B054',
      '#7FA8E0',
      '#E07A6E',
      '#3E7F77',
      '#B495D6',
      '#A8A499',
      '#F0B5A8',
      '#8BC27A',
      '#4A78B0',
      '#C2A06B',
      '#8A6A9A',
    ],
  },
}

// The first font installed on the reader's system is used; a PNG uses the bundled one.
export const FONT = 'system-ui, Segoe UI, Roboto, DejaVu Sans Condensed, DejaVu Sans, sans-serif'
export const SIZES = { title: 16, text: 12, small: 11, figure: 40 } as const

/** Size and theme of a picture. */
export interface ChartSize {
  readonly width: number
  readonly height: number
  readonly theme: 'light' | 'dark'
}
