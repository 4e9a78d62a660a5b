import { useMemo, useState } from 'preact/hooks'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { download } from '../common/csv.ts'
import { moneyText } from '../common/format.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { Dialog } from '../components/dialog.tsx'
import { Checkbox } from '../components/fields.tsx'
import { Notice } from '../components/notice.tsx'
import { useAction } from '../hooks/use-request.ts'
import { useHost } from '../host.ts'
import { canvasPen } from './canvas-pen.ts'
import { codePath } from './code-path.ts'
import { type LabelSize, type LabelSizeName, labelSizes, labelsOnPage } from './label-sizes.ts'
import { type Label, layOutLabel } from './lay-out-label.ts'
import { itemAddress, placeAddress } from './read-scan.ts'
import { text } from './words.ts'
import './shelf.css'

const names = Object.keys(labelSizes) as LabelSizeName[]
const groups = [
  ['labels.rolls', names.filter((name) => !('sheet' in labelSizes[name]))],
  ['labels.sheets', names.filter((name) => 'sheet' in labelSizes[name])],
] as const
/** The paper that this device printed on last. */
const paperKey = 'labels.paper'

/** Makes a PDF of labels for items, or for places: those of the inventory at first. */
export function LabelsDialog(props: {
  rows?: readonly InventoryRow[]
  places?: readonly string[]
  onClose: () => void
}) {
  const { rows = [], onClose } = props
  const { server } = useHost()
  const [paper, setPaper] = useState(() => names.find((name) => name === localStorage.getItem(paperKey)) ?? '2.25x1.25')
  const [first, setFirst] = useState(0)
  const [hasPrice, setPrice] = useState(true)
  const [places, setPlaces] = useState(() => props.places?.join('\n') ?? '')
  const [isDone, setDone] = useState(false)
  const { busy, problem, act } = useAction()
  const pen = useMemo(canvasPen, [])
  const size: LabelSize = labelSizes[paper]
  const labels: Label[] = [
    ...rows.map((row) => ({
      address: itemAddress(server, row.uid),
      title: row.title,
      lines: [row.sku, hasPrice && moneyText(row.price_minor, row.currency)].filter((line) => typeof line === 'string'),
    })),
    ...linesOf(places).map((place) => ({ address: placeAddress(server, place), title: place, lines: [] })),
  ]
  const start = size.sheet ? first : 0
  const give = (change: () => void) => {
    change()
    setDone(false)
  }
  const make = () =>
    act('make', async () => {
      const { labelPdf } = await import('./label-pdf.ts')
      download('hapax-labels.pdf', await labelPdf(labels, size, { first: start, pen }), 'application/pdf')
      localStorage.setItem(paperKey, paper)
      setDone(true)
    })
  return (
    <Dialog title={text('labels.title', { n: labels.length })} onClose={onClose}>
      <form
        class="labels"
        onSubmit={handleSubmit(() => {
          if (!busy && labels.length > 0) void make()
        })}
      >
        {problem && <Notice tone="bad">{problem}</Notice>}
        {props.places && (
          <label>
            {text('labels.places')}
            <textarea rows={4} value={places} onInput={(event) => give(() => setPlaces(event.currentTarget.value))} />
          </label>
        )}
        <label>
          {text('labels.paper')}
          <select
            value={paper}
            onChange={(event) =>
              give(() => {
                setPaper(event.currentTarget.value as LabelSizeName)
                setFirst(0)
              })
            }
          >
            {groups.map(([group, sizes]) => (
              <optgroup key={group} label={text(group)}>
                {sizes.map((name) => (
                  <option key={name} value={name}>
                    {labelSizes[name].name}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        {rows.length > 0 && (
          <Checkbox
            label={text('labels.price')}
            checked={hasPrice}
            onChange={(checked) => give(() => setPrice(checked))}
          />
        )}
        {size.sheet && (
          <SheetStart
            columns={size.sheet.columns}
            count={labelsOnPage(size)}
            first={first}
            n={labels.length}
            onFirst={(index) => give(() => setFirst(index))}
          />
        )}
        {labels[0] && <Preview label={labels[0]} size={size} widthOf={pen.widthOf} />}
        <p class="soft">{text('labels.hint')}</p>
        <div class="buttons">
          <p class="grow good" role="status">
            {isDone && text('labels.done')}
          </p>
          <button type="button" onClick={onClose}>
            {text(isDone ? 'close' : 'cancel')}
          </button>
          <button type="submit" class="main" aria-disabled={busy !== null || labels.length === 0}>
            {text(busy ? 'labels.busy' : 'labels.go')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const linesOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]

/** Chooses the first label of a sheet that was begun, on a picture of the sheet. */
function SheetStart(props: {
  columns: number
  count: number
  first: number
  /** Labels to print. */
  n: number
  onFirst: (index: number) => void
}) {
  const { columns, count, first, n } = props
  return (
    <fieldset>
      <legend>{text('labels.first')}</legend>
      <div class="label-sheet" data-columns={columns}>
        {Array.from({ length: count }, (_, index) => (
          <input
            key={index}
            type="radio"
            name="first-label"
            class={index >= first && index < first + n ? 'used' : undefined}
            aria-label={text('labels.cell', {
              row: Math.floor(index / columns) + 1,
              column: (index % columns) + 1,
            })}
            checked={index === first}
            onChange={() => props.onFirst(index)}
          />
        ))}
      </div>
      <p class="soft">{text('labels.sheets_needed', { n: Math.ceil((first + n) / count) })}</p>
    </fieldset>
  )
}

function Preview(props: { label: Label; size: LabelSize; widthOf: (words: string) => number }) {
  const { label, size } = props
  const { code, lines } = layOutLabel(label, size, (words, at) => props.widthOf(words) * at)
  const { path, modules } = codePath(label.address)
  return (
    <svg
      class={size.height > size.width ? 'label-preview tall' : 'label-preview'}
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="img"
      aria-label={text('labels.preview')}
    >
      <path d={path} transform={`translate(${code.x} ${code.y}) scale(${code.side / modules})`} />
      {lines.map(({ words, x, y, size: at }) => (
        <text key={y} x={x} y={y} font-size={at}>
          {words}
        </text>
      ))}
    </svg>
  )
}
