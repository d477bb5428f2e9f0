import type { Locator } from 'playwright-core'

/** Scrolls for three seconds, 120 pixels a frame; returns the 95th percentile of the time between frames. */
export async function measureScroll(list: Locator): Promise<number> {
  const frames = await list.evaluate(async (element) => {
    const times: number[] = []
    const until = performance.now() + 3_000
    for (let before = performance.now(), now = before; now < until; before = now) {
      now = await new Promise<number>(requestAnimationFrame)
      times.push(now - before)
      element.scrollTop += 120
    }
    return times
  })
  return frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)]!
}
