/**
 * The product's icons: outlines on a grid of 24, each one path. Drawn here, as an icon library's
 * code would come with every page. None has a name for a screen reader: the text beside it, or its
 * button, says what it means.
 */

export type IconProps = { size: number; className?: string }

/** How wide its line is, the style sheet says by its size: a small one needs a wider one. */
export function Icon({ size, className, d }: IconProps & { d: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      className={className === undefined ? 'icon' : `icon ${className}`}
      aria-hidden
    >
      <path d={d} />
    </svg>
  )
}

export const ArrowDown = (props: IconProps) => <Icon {...props} d="M12 5v14M5 12l7 7 7-7" />
export const ArrowUp = (props: IconProps) => <Icon {...props} d="M12 19V5M5 12l7-7 7 7" />
export const Check = (props: IconProps) => <Icon {...props} d="M4 12.5l5.5 5.5L20 6.5" />
export const ChevronLeft = (props: IconProps) => <Icon {...props} d="M15 5l-7 7 7 7" />
export const ChevronRight = (props: IconProps) => <Icon {...props} d="M9 5l7 7-7 7" />
export const Plus = (props: IconProps) => <Icon {...props} d="M12 5v14M5 12h14" />
export const X = (props: IconProps) => <Icon {...props} d="M6 6l12 12M18 6L6 18" />
export const Ellipsis = (props: IconProps) => (
  <Icon
    {...props}
    d="M4 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0zm7 0a1 1 0 1 0 2 0 1 1 0 1 0-2 0zm7 0a1 1 0 1 0 2 0 1 1 0 1 0-2 0z"
  />
)
export const FileText = (props: IconProps) => <Icon {...props} d="M14 3H6v18h12V7zM14 3v4h4M9 13h6M9 17h6" />
export const Refresh = (props: IconProps) => (
  <Icon {...props} d="M20 4v5h-5M4 20v-5h5M20 9a8.5 8.5 0 0 0-15.5-1.5M4 15a8.5 8.5 0 0 0 15.5 1.5" />
)

export const Monitor = (props: IconProps) => (
  <Icon {...props} d="M4 3h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM12 17v4M8 21h8" />
)
export const Sun = (props: IconProps) => (
  <Icon
    {...props}
    d="M8 12a4 4 0 1 0 8 0 4 4 0 1 0-8 0zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5"
  />
)
export const Moon = (props: IconProps) => <Icon {...props} d="M21 13.5A9 9 0 1 1 10.5 3a7 7 0 0 0 10.5 10.5z" />
export const Keyboard = (props: IconProps) => (
  <Icon
    {...props}
    d="M4 5h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM6 9h0M10 9h0M14 9h0M18 9h0M8 12h0M12 12h0M16 12h0M7 16h10"
  />
)
export const Search = (props: IconProps) => <Icon {...props} d="M4 11a7 7 0 1 0 14 0 7 7 0 1 0-14 0zM20.5 20.5L16 16" />
export const Panel = (props: IconProps) => (
  <Icon {...props} d="M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM9 3v18" />
)
