import { encode } from 'uqr'

/** Returns a QR code as the path of its dark modules, of 1 by 1, with a white border. `modules`: how many are in a row. */
export function codePath(content: string): { path: string; modules: number } {
  const { data } = encode(content, { ecc: 'M', border: 2 })
  const runs = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1]) return []
      const length = row.indexOf(false, x) - x
      return `M${x} ${y}h${length}v1h-${length}z`
    }),
  )
  return { path: runs.join(''), modules: data.length }
}
