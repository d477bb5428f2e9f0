import { useRouter } from '@tanstack/react-router'
import type { ComponentPropsWithoutRef, MouseEvent } from 'react'
import { useProject } from '../api/queries.ts'

interface Props extends Omit<ComponentPropsWithoutRef<'a'>, 'href'> {
  /** Path below the project, without a leading slash: `decisions/D12`. */
  readonly to: string
}

/** A link, by its path, to a place in the project, such as a link returned by an operation. */
export const PlaceLink = ({ to, children, ...rest }: Props) => {
  const router = useRouter()
  const href = `/${encodeURIComponent(useProject())}/${to}`
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    rest.onClick?.(event)
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    router.history.push(href)
  }
  return (
    <a {...rest} href={href} onClick={follow}>
      {children}
    </a>
  )
}
