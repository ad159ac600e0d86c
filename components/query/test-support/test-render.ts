import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime.js'
import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

const idle = () => undefined

/** Next.js puts a router around every page; links need one, though nobody clicks them here. */
const ROUTER = {
  push: idle,
  replace: idle,
  refresh: idle,
  prefetch: idle,
  back: idle,
  forward: idle,
  hmrRefresh: idle,
  bfcacheId: '0',
}

/** The markup of a part of a page. */
export function renderPart(part: ReactElement): string {
  return renderToStaticMarkup(createElement(AppRouterContext.Provider, { value: ROUTER }, part))
}
