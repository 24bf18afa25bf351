"""The intermediate representation: small, typed, every node with its position.

A `Program` is what a variant's rules mean, for every number of players and every value of the
parameters. Both engines play it; `interp` defines what each node does.
`steps` is what a turn or use of what can be long counts at one table (`ir.effects`), if settled.
"""

from trutdsl.ir.nodes.declarations import *
from trutdsl.ir.nodes.expressions import *
from trutdsl.ir.nodes.statements import *
