/** A field of a form for passwords and codes; 16 px on a phone, or it would zoom in. */
export const INPUT_CLASS =
  'h-8 w-full max-w-[260px] rounded-md border border-line2 bg-bg px-2.5 text-[13px] max-md:text-[16px]'
