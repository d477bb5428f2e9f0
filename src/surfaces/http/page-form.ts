import { AppError } from '../../kernel/domain/errors.ts'
import { readFields } from './oauth/read-form.ts'

/** A form submitted by one of our pages. */
export interface PageForm {
  one(name: string): string
  all(name: string): readonly string[]
}

/** Accepts only a page of this origin; cross-site requests are refused before they are read. */
export async function readPageForm(request: Request, { publicUrl }: { readonly publicUrl: string }): Promise<PageForm> {
  assertOwnPage(request, publicUrl)
  const fields = await readFields(request)
  return {
    one: (name) => {
      const values = fields.getAll(name)
      if (values.length > 1) throw foreign()
      return values[0] ?? ''
    },
    all: (name) => fields.getAll(name),
  }
}

export function assertOwnPage(request: Request, publicUrl: string): void {
  if (!isOwnPage(request, new URL(publicUrl).origin)) throw foreign()
}

/**
 * Trusts the browser's headers about a form's origin; a hidden page origin (`null`) is accepted only with
 * `Sec-Fetch-Site`.
 */
function isOwnPage({ headers }: Request, own: string): boolean {
  const [origin, site] = [headers.get('origin'), headers.get('sec-fetch-site')]
  if (site !== null && site !== 'same-origin') return false
  return origin === null || origin === own || (origin === 'null' && site === 'same-origin')
}

export const foreign = (): AppError =>
  new AppError('forbidden', 'This form was not opened on this server.', {
    hint: 'Go back and start again.',
  })
