import { AppError } from '../kernel/domain/errors.ts'

/**
 * Loads the script with which a clone builds files that the package contains prebuilt; `what` describes them in the
 * error.
 */
export function cloneBuilder<Builder>(script: URL, what: string): Promise<Builder> {
  return (import(script.href) as Promise<Builder>).catch((cause: unknown) => {
    throw new AppError('unavailable', `Can’t load ${what} in a clone`, {
      hint: 'Run `npm install` in the clone of Ken, with its development packages.',
      cause,
    })
  })
}
