import { openAppDesk } from '../../test/slow/web/app-desk.ts'
import { heapOf } from './heap.ts'

/** Measures the memory of one tab while answers stream into it: after the early answers and after all of them. */
export async function measureAnswers(count: number): Promise<{ first: number; last: number; at: number }> {
  const at = Math.min(20, count)
  const words = Array.from({ length: 300 }, (_, n) => `word${n % 37}`).join(' ')
  const desk = await openAppDesk({ script: () => ({ say: `**An answer.** ${words}` }) })
  try {
    await desk.goto('ask')
    let first = 0
    for (let n = 1; n <= count; n++) {
      const box = desk.page.getByRole('textbox', { name: 'Question' })
      await box.click()
      await desk.page.keyboard.type(`Question ${n}`)
      await desk.page.keyboard.press('Enter')
      await desk.page.getByText(`Question ${n}`, { exact: true }).last().waitFor()
      await desk.page.getByRole('button', { name: /^Stop/ }).waitFor({ state: 'detached' })
      if (n === at) first = await heapOf(desk.page)
    }
    return { first, last: await heapOf(desk.page), at }
  } finally {
    await desk.close()
  }
}
