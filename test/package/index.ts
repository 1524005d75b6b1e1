import './examples.package.ts'
import './tarball.package.ts'
