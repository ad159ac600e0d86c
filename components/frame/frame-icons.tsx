/** Icons that only the server draws: in a file of their own they are in no page's script. */

import { Icon, type IconProps } from '#components/primitives/icons.tsx'

export const Download = (props: IconProps) => (
  <Icon {...props} d="M12 3v12M7 10l5 5 5-5M4 16v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3" />
)
export const LogOut = (props: IconProps) => (
  <Icon {...props} d="M10 21H6a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4M16 7l5 5-5 5M21 12H10" />
)
export const People = (props: IconProps) => (
  <Icon
    {...props}
    d="M2 20a7 7 0 0 1 14 0M5.5 8a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0M16 4.7a3.5 3.5 0 0 1 0 6.6M18.5 14a7 7 0 0 1 3.5 6"
  />
)
export const Scroll = (props: IconProps) => <Icon {...props} d="M6 3h12v18l-3-2-3 2-3-2-3 2zM9.5 8h5M9.5 12h5" />
export const Sliders = (props: IconProps) => (
  <Icon {...props} d="M4 6h9M17 6h3M13 3.5v5M4 12h3M11 12h9M7 9.5v5M4 18h9M17 18h3M13 15.5v5" />
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
export const Clipboard = (props: IconProps) => (
  <Icon {...props} d="M9 4H6v17h12V4h-3M9 2.5h6v3H9zM9 13.5l2.2 2.2L15 11.5" />
)
export const Clock = (props: IconProps) => <Icon {...props} d="M3 4v5h5M3.5 9A9 9 0 1 1 3 12.5M12 7v5l4 2" />
export const BoxSlash = (props: IconProps) => (
  <Icon {...props} d="M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM8 16l8-8" />
)
export const CalendarCheck = (props: IconProps) => (
  <Icon {...props} d="M4 5h16v16H4zM4 9.5h16M8 2.5V6M16 2.5V6M9 14.5l2.2 2.2L15 12.8" />
)
export const Plug = (props: IconProps) => <Icon {...props} d="M9 2v6M15 2v6M6 8h12v4a6 6 0 0 1-12 0zM12 18v4" />
