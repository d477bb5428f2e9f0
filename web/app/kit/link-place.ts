/** Where a link leads, in so far as its words do not say it; undefined where they are that very address. */
export function unsaidPlace(href: string, words: string): string | undefined {
  const place = placeOf(href)
  const said = words.trim()
  return said === place || said === href || placeOf(said) === place || placeOf(`https://${said}`) === place
    ? undefined
    : place
}

function placeOf(address: string): string {
  if (/^mailto:/i.test(address)) return address.slice('mailto:'.length).split('?')[0]!
  // Words are no address, even if a browser would make one of them.
  if (/\s/.test(address)) return address
  try {
    const { host, username } = new URL(address)
    return username === '' ? host : `…@${host}`
  } catch {
    return address
  }
}
