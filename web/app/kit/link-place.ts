/** The target of a link, to show next to its text; undefined if the text itself is that address. */
export function unsaidPlace(href: string, words: string): string | undefined {
  const place = placeOf(href)
  const said = words.trim()
  return said === place || said === href || placeOf(said) === place || placeOf(`https://${said}`) === place
    ? undefined
    : place
}

function placeOf(address: string): string {
  if (/^mailto:/i.test(address)) return address.slice('mailto:'.length).split('?')[0]!
  // Several words are not an address, even if a browser would accept them as one.
  if (/\s/.test(address)) return address
  try {
    const { host, username } = new URL(address)
    return username === '' ? host : `…@${host}`
  } catch {
    return address
  }
}
