import { AppError } from '../kernel/domain/errors.ts'

/** Loads the script of a clone that builds what the package contains built; `what` describes it in the error. */
export function cloneBuilder<Builder>(script: URL, what: string): Promise<Builder> {
  return (import(script.href) as Promise<Builder>).catch((cause: unknown) => {
    throw new AppError('unavailable', `Can’t load ${what} in a clone`, {
      hint: 'Run `npm install` in the clone of Ken, with its development packages.',
      cause,
    })
  })
}
