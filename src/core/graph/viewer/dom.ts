/**
 * The part of the browser's DOM that the page uses. Core compiles without DOM types, so that nothing else in it can
 * reach for a browser; these stand in for them and are checked against a real Chromium by
 * test/slow/graph.browser.test.ts.
 */
export interface PageElement {
  textContent: string | null
  hidden: boolean
  value: string
  scrollTop: number
  readonly tagName: string
  readonly dataset: Record<string, string | undefined>
  readonly classList: { toggle(name: string, force?: boolean): boolean }
  readonly style: { setProperty(name: string, value: string): void }
  append(...children: (PageElement | string)[]): void
  replaceChildren(...children: (PageElement | string)[]): void
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  addEventListener(type: string, listener: (event: PageEvent) => void, options?: { passive: boolean }): void
  querySelectorAll(selector: string): Iterable<PageElement>
  closest(selector: string): PageElement | null
  focus(): void
  blur(): void
  select(): void
  setPointerCapture(pointer: number): void
  scrollIntoView(options: { block: 'nearest' }): void
  getBoundingClientRect(): {
    readonly left: number
    readonly top: number
    readonly width: number
    readonly height: number
  }
}

export interface PageEvent {
  readonly target: PageElement | null
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly button: number
  readonly clientX: number
  readonly clientY: number
  readonly deltaY: number
  readonly pointerId: number
  preventDefault(): void
}

export interface PageDocument {
  readonly activeElement: PageElement | null
  createElement(tag: string): PageElement
  createElementNS(namespace: string, tag: string): PageElement
  querySelector(selector: string): PageElement | null
}

export interface PageWindow {
  readonly document: PageDocument
  readonly location: { readonly hash: string }
  readonly history: { replaceState(state: null, title: string, url: string): void }
  requestAnimationFrame(draw: () => void): void
  addEventListener(type: string, listener: (event: PageEvent) => void): void
}
