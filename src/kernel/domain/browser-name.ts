/**
 * Name of a browser; never text from its user agent, which may contain anything. The user agents of several browsers
 * also name other browsers, so the order matters.
 */
export function browserName(userAgent: string | null): string | undefined {
  const said = (userAgent ?? '').slice(0, LONGEST)
  for (const [family, pattern] of FAMILIES) {
    const version = pattern.exec(said)?.[1]
    if (version === undefined) continue
    const system = SYSTEMS.find(([, name]) => name.test(said))?.[0]
    return `${family} ${version}${system === undefined ? '' : ` on ${system}`}`
  }
  return undefined
}

const LONGEST = 500

const FAMILIES: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d{1,4})/],
  ['Opera', /\bOPR\/(\d{1,4})/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d{1,4})/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d{1,4})/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d{1,4})/],
  ['Safari', /\bVersion\/(\d{1,4})[\d.]* (?:Mobile\/\w+ )?Safari\//],
]

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]
