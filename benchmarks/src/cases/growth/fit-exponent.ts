import { linearRegression, mean, sum } from 'simple-statistics'

/**
 * How a cost grows with a size: as `size ** exponent`
 */
export interface Fit {
  readonly exponent: number
  /**
   * What lies between them has the exponent in 95 of 100 such runs; null below
   * three sizes, which every line fits
   */
  readonly low: number | null
  readonly high: number | null
  readonly sizes: number
}

/**
 * Student's t for 95 % on both sides, by degrees of freedom from 1 on
 */
const T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]

/**
 * Fits a line through the logarithms of sizes and costs by least squares. The
 * interval is that of the line's slope, from how far the points lie off it, so
 * that a curve widens it as noise does.
 *
 * @throws {Error} below two sizes
 */
export function fitExponent (points: ReadonlyArray<{ readonly size: number, readonly cost: number }>): Fit {
  if (points.length < 2) {
    throw new Error('a line needs two points')
  }

  const logs = points.map(({ size, cost }) => [Math.log(size), Math.log(cost)])
  const { m, b } = linearRegression(logs)
  const freedom = points.length - 2

  if (freedom === 0) {
    return { exponent: m, low: null, high: null, sizes: points.length }
  }

  const meanX = mean(logs.map(([x]) => x))
  const residual = sum(logs.map(([x, y]) => (y - (m * x + b)) ** 2)) / freedom
  const error = Math.sqrt(residual / sum(logs.map(([x]) => (x - meanX) ** 2)))
  const reach = error * T[Math.min(freedom, T.length) - 1]

  return { exponent: m, low: m - reach, high: m + reach, sizes: points.length }
}
