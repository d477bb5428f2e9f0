import type { ComponentPropsWithRef, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './button.module.css'

export interface ButtonLook {
  /** One button of a place is `primary`; `bad` is for what cannot be undone; `quiet` has no edge. */
  readonly look?: 'plain' | 'primary' | 'quiet' | 'bad'
  readonly size?: 'small' | 'middle'
  readonly icon?: IconName
  /** Where it is narrow its icon stands alone; its name is still read out. */
  readonly folds?: boolean
  /** It goes on working and cannot be pressed again meanwhile; it keeps the focus. */
  readonly busy?: boolean
}

type Props = ButtonLook & Omit<ComponentPropsWithRef<'button'>, 'children'> & { readonly children: ReactNode }

export const Button = ({
  look = 'plain',
  size = 'middle',
  icon,
  folds = false,
  busy = false,
  children,
  ...rest
}: Props) => (
  <button
    type="button"
    {...rest}
    className={classNames(styles.button, styles[look], styles[size], folds && styles.folds, rest.className)}
    aria-disabled={busy || rest['aria-disabled'] || undefined}
    aria-busy={busy || undefined}
    onClick={busy ? (event) => event.preventDefault() : rest.onClick}
  >
    {icon && <Icon name={icon} size={size === 'small' ? 14 : 16} />}
    {folds ? <span>{children}</span> : children}
  </button>
)

type IconProps = Omit<Props, 'children' | 'icon'> & { readonly icon: IconName; readonly label: string }

/** A button that shows its icon alone; `label` is its name. Put it into a `Tooltip` where the icon is not enough. */
export const IconButton = ({ look = 'quiet', icon, label, className, ...rest }: IconProps) => (
  <Button look={look} aria-label={label} className={classNames(styles.alone, className)} icon={icon} {...rest}>
    {null}
  </Button>
)
