/** How large a picture is, and on what it stands. */
export interface ChartSize {
  readonly width: number
  readonly height: number
  readonly theme: 'light' | 'dark'
}
