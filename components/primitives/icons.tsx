/**
 * The product's icons: outlines on a grid of 24, each one path. Drawn here, as an icon library's
 * code would come with every page. None has a name for a screen reader: the text beside it, or its
 * button, says what it means.
 */

export type IconProps = { size: number; strokeWidth?: number; className?: string }

function Icon({ size, strokeWidth = 2, className, d }: IconProps & { d: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      strokeWidth={strokeWidth}
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
export const Download = (props: IconProps) => (
  <Icon {...props} d="M12 3v12M7 10l5 5 5-5M4 16v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3" />
)
export const FileText = (props: IconProps) => <Icon {...props} d="M14 3H6v18h12V7zM14 3v4h4M9 13h6M9 17h6" />
export const Refresh = (props: IconProps) => (
  <Icon {...props} d="M20 4v5h-5M4 20v-5h5M20 9a8.5 8.5 0 0 0-15.5-1.5M4 15a8.5 8.5 0 0 0 15.5 1.5" />
)
export const LogOut = (props: IconProps) => (
  <Icon {...props} d="M10 21H6a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4M16 7l5 5-5 5M21 12H10" />
)
export const Person = (props: IconProps) => (
  <Icon
    {...props}
    d="M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0zM8 10a4 4 0 1 0 8 0 4 4 0 1 0-8 0zM5.5 19a7 7 0 0 1 13 0"
  />
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
export const Panel = (props: IconProps) => (
  <Icon {...props} d="M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM9 3v18" />
)

export const Dashboard = (props: IconProps) => (
  <Icon {...props} d="M3 3h7v9H3zM14 3h7v5h-7zM14 12h7v9h-7zM3 16h7v5H3z" />
)
export const Receipt = (props: IconProps) => (
  <Icon
    {...props}
    d="M5 22V2l2.3 1.5L9.7 2 12 3.5 14.3 2l2.4 1.5L19 2v20l-2.3-1.5-2.4 1.5-2.3-1.5L9.7 22l-2.4-1.5zM9 8h6M9 12h6M9 16h4"
  />
)
export const Rows = (props: IconProps) => <Icon {...props} d="M3 6h0M3 12h0M3 18h0M8 6h13M8 12h13M8 18h13" />
export const Tree = (props: IconProps) => (
  <Icon {...props} d="M3 3v14a2 2 0 0 0 2 2h7M3 8h9M12 4.5h3l1.5 1.5H21v5h-9zM12 15.5h3l1.5 1.5H21v5h-9z" />
)
export const Clock = (props: IconProps) => <Icon {...props} d="M3 4v5h5M3.5 9A9 9 0 1 1 3 12.5M12 7v5l4 2" />
export const Plug = (props: IconProps) => <Icon {...props} d="M9 2v6M15 2v6M6 8h12v4a6 6 0 0 1-12 0zM12 18v4" />
