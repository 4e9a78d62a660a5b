import type Koa from 'koa'
import { z } from 'zod'
import { type Html, html } from '#server/infra/html.ts'
import { type ErrorCode, problems } from '#shared/contract/declaring/errors.ts'
import { commonErrors, type RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { guide } from '#shared/contract/guide.ts'
import { advice } from '#shared/contract/selling/advice.ts'
import { sendPage } from './layout.ts'

/**
 * `/docs/plain`: the API reference without scripts, generated from the declarations that the server runs on. Generated at
 * the first request, since that takes a third of the time of a start.
 */
export function referencePage(routes: Record<string, RouteDeclaration>, publicUrl: string): Koa.Middleware {
  let body: Html | undefined
  return (ctx) => {
    body ??= reference(Object.entries(routes), publicUrl)
    sendPage(ctx, { title: 'API reference', width: 'wide', body })
  }
}

/** `/docs/errors`: every error code with its status and meaning. */
export function errorsPage(): Koa.Middleware {
  const rows = Object.entries(problems).map(
    ([code, [status, title]]) =>
      html`<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${title}.<br><span class="soft">${coded(advice[code as ErrorCode])}</span></td></tr>`,
  )
  return (ctx) =>
    sendPage(ctx, {
      title: 'Errors',
      width: 'wide',
      body: html`<h1>Errors</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457) with a stable <code>code</code> from this list, a sentence in
<code>detail</code>, and the <code>request_id</code> to quote when you ask about it.</p>
<div class="scroll"><table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning, and what to do</th></tr></thead><tbody>${rows}</tbody></table></div>`,
    })
}

function reference(entries: [string, RouteDeclaration][], publicUrl: string): Html {
  const tags = [...new Set(entries.map(([, declaration]) => declaration.tag))]
  return html`<h1>API reference</h1>
<p>JSON in, JSON out, at <code>${publicUrl}</code>. Send either <code>Authorization: Bearer …</code> (a session from signing in)
or <code>X-API-Key: …</code> (for scripts, extensions and servers). Machines read <a href="/api/openapi.json">/api/openapi.json</a>;
the record's JSON Schema is at <a href="/schemas/unique-inventory-record/0.1.json">/schemas/unique-inventory-record/0.1.json</a>;
<a href="/docs/errors">all error codes</a>.</p>
<pre>curl -s ${publicUrl}/api/auth/register/email/ -H 'content-type: application/json' \\
  -d '{"email":"you@example.com","password":"…","password_confirm":"…"}'</pre>
${guide.map(({ title, lines }) => html`<details><summary>${title}</summary>${lines.map(paragraph)}</details>`)}
<nav aria-label="Sections"><ul class="plain">${tags.map((tag) => html`<li><a href="#${slug(tag)}">${tag}</a></li>`)}</ul></nav>
${tags.map(
  (tag) => html`<section aria-labelledby="${slug(tag)}"><h2 id="${slug(tag)}">${tag}</h2>
${entries.filter(([, declaration]) => declaration.tag === tag).map(([id, declaration]) => endpoint(id, declaration))}</section>`,
)}`
}

function endpoint(operationId: string, declaration: RouteDeclaration): Html {
  return html`<details id="${operationId}"><summary><span class="method">${declaration.method}</span> <code>${declaration.path}</code>: ${declaration.summary}</summary>
<p class="soft">${credential(declaration)}${declaration.idempotent && html` Honours <code>Idempotency-Key</code>.`}</p>
${declaration.notes && html`<p>${coded(declaration.notes)}</p>`}
${Object.entries(declaration.headers ?? {}).map(([name, about]) => html`<p>Header <code>${name}</code>: ${coded(about)}</p>`)}
${declaration.query && html`<h3>Query</h3>${schemaBlock(declaration.query)}`}
${declaration.body && html`<h3>Body</h3>${schemaBlock(declaration.body)}`}
${Object.entries(declaration.replies).map(
  ([status, schema]) => html`<h3>${status}</h3>${schema ? schemaBlock(schema) : html`<p>No body.</p>`}`,
)}
<h3>Errors</h3><p>${errorLinks([...new Set([...commonErrors(declaration), ...(declaration.errors ?? [])])])}</p></details>`
}

/** Renders a text with code in backticks. */
function coded(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : html`${part}`))
}

/** Renders a line of the guide; enumerations become a list. */
function paragraph(line: string): Html {
  const [first = '', ...rest] = line.split(' · ')
  if (rest.length === 0) return html`<p>${coded(line)}</p>`
  const at = first.indexOf(': `') + 1
  const entries = [first.slice(at).trim(), ...rest]
  return html`<p>${coded(first.slice(0, at))}</p><ul>${entries.map((entry) => html`<li>${coded(entry)}</li>`)}</ul>`
}

function errorLinks(codes: ErrorCode[]): Html[] {
  return codes
    .sort((one, other) => problems[one][0] - problems[other][0])
    .map((code) => html`<a href="/docs/errors#${code}"><code>${code}</code></a> `)
}

function credential({ auth }: RouteDeclaration): Html {
  if (auth === 'none') return html`No credential.`
  if (auth === 'bearer') return html`Bearer token only.`
  return html`Bearer token, or an API key with the scope <code>${auth.scope}</code>.`
}

function schemaBlock(schema: z.ZodType): Html {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return html`<pre>${outline(plain)}</pre>`
}

type Schema = { [name: string]: unknown }

/** Renders a schema for people: members with their types, "?" for optional ones. */
function outline(schema: Schema, definitions: Schema = {}, indent = ''): string {
  const known = { ...definitions, ...(schema.$defs as Schema | undefined) }
  const resolved =
    typeof schema.$ref === 'string'
      ? ((known[schema.$ref.replace('#/$defs/', '')] as Schema | undefined) ?? {})
      : schema
  if (resolved.enum) return (resolved.enum as unknown[]).map((value) => JSON.stringify(value)).join(' | ')
  if (resolved.const !== undefined) return JSON.stringify(resolved.const)
  const options = (resolved.anyOf ?? resolved.oneOf) as Schema[] | undefined
  if (options) return options.map((option) => outline(option, known, indent)).join(' | ')
  if (resolved.type === 'array') return `[ ${outline((resolved.items as Schema | undefined) ?? {}, known, indent)} ]`
  if (resolved.type !== 'object' || !resolved.properties) return scalar(resolved)
  const required = new Set((resolved.required as string[] | undefined) ?? [])
  const members = Object.entries(resolved.properties as Record<string, Schema>).map(
    ([name, member]) => `${indent}  ${name}${required.has(name) ? '' : '?'}: ${outline(member, known, `${indent}  `)}`,
  )
  return `{\n${members.join('\n')}\n${indent}}`
}

function scalar(schema: Schema): string {
  const bounds = [
    schema.format && String(schema.format),
    schema.minLength !== undefined && `at least ${schema.minLength} characters`,
    schema.maxLength !== undefined && `at most ${schema.maxLength} characters`,
    typeof schema.minimum === 'number' && schema.minimum > -9e15 && `from ${schema.minimum}`,
    typeof schema.maximum === 'number' && schema.maximum < 9e15 && `to ${schema.maximum}`,
    schema.description && String(schema.description),
  ].filter(Boolean)
  return `${schema.type ?? 'any'}${bounds.length > 0 ? ` (${bounds.join(', ')})` : ''}`
}

const slug = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
