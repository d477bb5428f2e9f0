import { AppError } from '../../kernel/domain/errors.ts'
import { readFields } from './oauth/read-form.ts'

/** What a page of ours sent back. */
export interface PageForm {
  one(name: string): string
  all(name: string): readonly string[]
}

/** Only from a page of this very origin; what another site makes a browser send is refused before it is read. */
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

/** A browser that says where a form comes from is believed; one that hides its page's origin (`null`) must say that. */
function isOwnPage({ headers }: Request, own: string): boolean {
  const [origin, site] = [headers.get('origin'), headers.get('sec-fetch-site')]
  if (site !== null && site !== 'same-origin') return false
  return origin === null || origin === own || (origin === 'null' && site === 'same-origin')
}

export const foreign = (): AppError =>
  new AppError('forbidden', 'This form does not come from a page that you were shown here.', {
    hint: 'Go back to where you began, and start again.',
  })
