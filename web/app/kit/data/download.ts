import { showToast } from '../toast-store.ts'

/** Saves a file. The generic content type keeps a browser from opening it in a tab; the name has its real type. */
export function download(content: BlobPart, name: string): void {
  const file = new Blob([content], { type: 'application/octet-stream' })
  const isAskedFor = navigator.userActivation?.isActive ?? true
  follow(file, name)
  // A browser may block a file that arrives long after the click, without notifying the page.
  if (!isAskedFor)
    showToast({ text: `${name} is ready`, action: { label: 'Save again', run: () => follow(file, name) } })
}

function follow(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.hidden = true
  // Some browsers ignore a link that is not on the page.
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers start to read the file a moment after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Decodes base64 from an operation. */
export const bytesOf = (base64: string): BlobPart => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
