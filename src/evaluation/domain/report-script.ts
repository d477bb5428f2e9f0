/**
 * Filters the list of cases. It only changes visibility, and reads only attributes: the page is complete without it,
 * and no text of a run is ever parsed as markup.
 */
export const REPORT_SCRIPT = `
'use strict'
{
  const filters = document.getElementById('filters')
  const said = document.getElementById('count')
  const none = document.getElementById('none')
  const cases = [...document.querySelectorAll('details.case')]
  const [words, verdict, kind, tag] = ['words', 'verdict', 'kind', 'tag'].map((id) => document.getElementById(id))
  const shows = (one) =>
    (verdict.value === '' || one.dataset.verdicts.split(' ').includes(verdict.value)) &&
    (kind.value === '' || one.dataset.kind === kind.value) &&
    (tag.value === '' || one.dataset.tags.split('\\n').includes(tag.value)) &&
    words.value.toLowerCase().split(/\\s+/).every((word) => one.dataset.words.includes(word))
  const narrow = () => {
    let count = 0
    for (const one of cases) {
      one.hidden = !shows(one)
      if (!one.hidden) count++
    }
    none.hidden = count > 0
    said.textContent = count === cases.length ? count + ' cases' : count + ' of ' + cases.length + ' cases'
  }
  const fold = (open) => { for (const one of cases) if (!one.hidden) one.open = open }
  filters.addEventListener('input', narrow)
  filters.addEventListener('submit', (event) => event.preventDefault())
  document.getElementById('open').addEventListener('click', () => fold(true))
  document.getElementById('close').addEventListener('click', () => fold(false))
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(INPUT|SELECT)$/.test(document.activeElement.tagName)) return
    event.preventDefault()
    words.focus()
  })
  const follow = () => {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (named === null || !named.matches('details.case')) return
    named.hidden = false
    named.open = true
    named.scrollIntoView()
  }
  addEventListener('hashchange', follow)
  filters.hidden = false
  narrow()
  follow()
}
`
