import type { Extension } from '@codemirror/state'
import { hoverTooltip } from '@codemirror/view'
import type { CodeHelp } from './code-parts.ts'

/** Shows help for the word under the pointer, always as plain text. */
export const codeHelp = (helpOf: () => CodeHelp | undefined): Extension =>
  hoverTooltip((view, pos) => {
    const told = helpOf()?.(view.state.doc.toString(), pos)
    if (told === undefined || told === '') return null
    return {
      pos,
      above: true,
      create: () => {
        const dom = document.createElement('div')
        dom.className = 'cm-help'
        dom.textContent = told
        return { dom }
      },
    }
  })
