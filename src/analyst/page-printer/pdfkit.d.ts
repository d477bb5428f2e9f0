/** The part of pdfkit's API that is used here; the package has no types. */
declare module 'pdfkit' {
  interface TextOptions {
    width?: number
    height?: number
    continued?: boolean
    lineBreak?: boolean
    ellipsis?: boolean
    lineGap?: number
    align?: 'left' | 'center' | 'right'
    link?: string | null
    underline?: boolean
    strike?: boolean
  }

  export class PDFDocument {
    constructor(options: {
      size: string
      margins: { top: number; bottom: number; left: number; right: number }
      bufferPages: boolean
      font: Uint8Array
      lang?: string
      displayTitle?: boolean
      info: { Title: string; Creator: string; Producer: string; CreationDate: Date }
    })
    x: number
    y: number
    readonly page: {
      width: number
      height: number
      margins: { top: number; bottom: number; left: number; right: number }
    }
    registerFont(name: string, data: Uint8Array): this
    font(name: string, size?: number): this
    fontSize(size: number): this
    fillColor(colour: string): this
    strokeColor(colour: string): this
    lineWidth(width: number): this
    text(text: string, x?: number, y?: number, options?: TextOptions): this
    text(text: string, options?: TextOptions): this
    widthOfString(text: string, options?: TextOptions): number
    heightOfString(text: string, options?: TextOptions): number
    currentLineHeight(includeGap?: boolean): number
    image(data: Uint8Array, x: number, y: number, options: { width: number; height: number }): this
    rect(x: number, y: number, width: number, height: number): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    fill(colour?: string): this
    stroke(): this
    addPage(): this
    switchToPage(page: number): void
    bufferedPageRange(): { start: number; count: number }
    on(event: 'data', listener: (chunk: Uint8Array) => void): this
    on(event: 'end', listener: () => void): this
    on(event: 'error', listener: (error: Error) => void): this
    end(): void
  }
}
