import type { GroupKind } from '../../src/record/domain/graph/grouping.ts'
import { html } from './elements.ts'
import type { Kit } from './kit.ts'

const NAMES: Readonly<Record<GroupKind, string>> = {
  topic: 'Topic',
  type: 'Type',
  folder: 'Folder',
  tag: 'Tag',
  date: 'Date',
  status: 'Status',
}

/** Selects the grouping, from the groupings that this record supports. */
export function createGroupSwitch(kit: Kit): HTMLElement {
  const there = new Set(kit.data.groupings.map(({ by }) => by))
  const options = Object.entries(NAMES)
    .filter(([by]) => there.has(by as GroupKind))
    .map(([by, name]) => html('option', { value: by }, name))
  const select = html('select', { id: kit.id('by'), 'aria-label': 'Group by' }, ...options) as HTMLSelectElement
  select.addEventListener('change', () => {
    kit.by = select.value as GroupKind
    kit.changed()
  })
  kit.onChange(() => (select.value = kit.by))
  return html('label', { class: 'by' }, html('span', {}, 'Group by'), select)
}
