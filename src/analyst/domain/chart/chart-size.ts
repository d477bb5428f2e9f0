/** Size and theme of a picture. */
export interface ChartSize {
  readonly width: number
  readonly height: number
  readonly theme: 'light' | 'dark'
}
