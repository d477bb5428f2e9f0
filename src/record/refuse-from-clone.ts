import { AppError } from '../kernel/domain/errors.ts'
import type { Store } from './ports/store.ts'

/** Throws if the record came with a clone that the user has not trusted: a person's change would vouch for it. */
export function refuseFromClone({ project }: Pick<Store, 'project'>): void {
  if (project.fromClone === true)
    throw new AppError('forbidden', 'This record came with the clone and is not trusted yet.', {
      hint: 'Review it with `ken context`, then run `ken trust`.',
    })
}
