import { showToast } from '../toast-store.ts'

/**
 * Hands a file to whoever reads the page. Its type is none that a browser shows in a tab, so that it is always saved;
 * the name says what it is.
 */
export function download(content: BlobPart, name: string): void {
  const file = new Blob([content], { type: 'application/octet-stream' })
  const isAskedFor = navigator.userActivation?.isActive ?? true
  follow(file, name)
  // A browser may hold back a file that comes long after the click, and the page is not told.
  if (!isAskedFor)
    showToast({ text: `${name} is ready`, action: { label: 'Save again', run: () => follow(file, name) } })
}

function follow(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.hidden = true
  // Some browsers do nothing for a link that is not on the page.
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers begin to read a moment after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** What an operation sends as base64, as the bytes it stands for. */
export const bytesOf = (base64: string): BlobPart => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
