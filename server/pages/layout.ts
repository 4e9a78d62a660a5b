import { createHash } from 'node:crypto'
import type Koa from 'koa'
import { Html, html } from '#server/infra/html.ts'

export interface Page {
  title: string
  body: Html
  /** HTTP status; 200 by default. */
  status?: number
  /** `wide` for tables and the reference, `form` for a card with one form; otherwise one readable column. */
  width?: 'column' | 'wide' | 'form'
  /** A script of the page. The policy allows it by its hash, and no other. */
  script?: string
}

/** Sends a page in the common frame. */
export function sendPage(ctx: Koa.Context, page: Page): void {
  ctx.status = page.status ?? 200
  ctx.type = 'text/html; charset=utf-8'
  ctx.set('Cache-Control', 'no-store')
  if (page.script) {
    const hash = createHash('sha256').update(page.script).digest('base64')
    const policy = String(ctx.response.get('Content-Security-Policy'))
    ctx.set('Content-Security-Policy', `${policy}; script-src 'sha256-${hash}'`)
  }
  ctx.body = renderPage(page)
}

/** Renders a whole page in the common frame. */
function renderPage({ title, body, width = 'column', script }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Hapax</title>
<link rel="stylesheet" href="/assets/hapax.css">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="24" height="24">Hapax</a></header>
<main id="main" class="${width}">
${body}
${script !== undefined && new Html(`<script type="module">${script}</script>`)}
</main>
<footer><p><a href="/privacy">Privacy</a></p>
<p>The term 'Etsy' is a trademark of Etsy, Inc. This application uses the Etsy API but is not endorsed or certified by
Etsy, Inc.</p></footer>
</body>
</html>`.text
}
