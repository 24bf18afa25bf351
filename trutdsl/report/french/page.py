"""What a page of results says besides, in French."""

PAGE = {
    # The page as a whole.
    "To the summary": "Vers le résumé",
    "Contents": "Sommaire",
    "In words": "En mots",
    "How this was made": "Comment cela a été fait",
    "Self-checks": "Vérifications",
    "All {many} hold.": "Les {many} vérifications sont bonnes.",
    "What was looked at again in these results": "Ce qui fut revérifié dans ces résultats",
    "These results contradict themselves; do not rely on them": (
        "Ces résultats se contredisent ; ne vous y fiez pas"
    ),
    "holds": "vérifié",
    "FAILED": "MANQUÉ",
    "The same as a table: {name}": "Les mêmes nombres en tableau : {name}",
    "The command that makes it again:": "La commande qui le refait :",
    "Versions, seed and fingerprints (SHA-256)": "Versions, graine et empreintes (SHA-256)",
    "engine": "moteur",
    "seed": "graine",
    "variant {name}": "variante {name}",
    "strategy {name}": "stratégie {name}",
    "all these results": "tous ces résultats",
    "figures drawn by": "figures tracées par",
    "what": "quoi",
    "which": "lequel",
    "variant": "variante",
    "base": "base",
    "verdict": "verdict",
    "mean": "moyenne",
    # A comparison.
    "What differs": "Ce qui diffère",
    "Which rule does it?": "Quelle règle le fait ?",
    "How long a match is": "Combien dure une partie",
    "Who wins from which score": "Qui gagne à partir de quel score",
    "What is said with which hands": "Ce qui se dit avec quelles mains",
    "what is said": "ce qui est dit",
    "Hands by how many of ten others they beat at least: 0 the weakest tenth, 9 the strongest. "
    "Without colour where there were fewer than {few}; else the 95 % interval ends at most "
    "{widest} away. What it brings and the share that it has to win are in ledger.csv, with all "
    "intervals.": (
        "Les mains selon le nombre des autres, sur dix, qu'elles battent au moins : 0 le dixième "
        "le plus faible, 9 le plus fort. Sans couleur là où il y en avait moins de {few} ; sinon "
        "l'intervalle à 95 % finit à {widest} au plus. Ce que cela rapporte et la part qu'il faut "
        "gagner sont dans ledger.csv, avec tous les intervalles."
    ),
    "{variant}: of 100 such hands, with how many it is said": (
        "{variant} : sur 100 mains de cette force, combien de fois on le dit"
    ),
    "{variant}: of 100 deals in which it is said, how many one's own side wins": (
        "{variant} : sur 100 donnes où on le dit, combien en gagne son propre camp"
    ),
    "How the strategies fare": "Comment s'en tirent les stratégies",
    "base -> variant": "base -> variante",
    "difference, with its interval": "différence, avec son intervalle",
    "what matters": "ce qui importe",
    "Each line is a difference from the base with its 95 % interval, in multiples of what "
    "matters: within the band it does not matter. The scale is logarithmic beyond 2.": (
        "Chaque ligne est une différence avec la base et son intervalle à 95 %, en multiples de ce "
        "qui importe : dans la bande, elle n'importe pas. Au-delà de 2, l'échelle est "
        "logarithmique."
    ),
    "Differences of {variant} from the base": "Différences de {variant} avec la base",
    "difference, in multiples of what matters": "différence, en multiples de ce qui importe",
    "{many} intervals; the table below it has the same numbers, and all others": (
        "{many} intervalles ; le tableau au-dessous a les mêmes nombres, et tous les autres"
    ),
    "There is no room here for ledger.csv; it lies in the folder of the comparison.": (
        "La place manque ici pour ledger.csv ; il est dans le dossier de la comparaison."
    ),
    "There is no room here for the points of variants in that table.": (
        "La place manque ici pour les points des variantes dans ce tableau."
    ),
    "All metrics of {variant} and the base": "Toutes les mesures de {variant} et de la base",
    "Each point of {variant} alone": "Chaque point de {variant} seul",
    "What {variant} changes, and each of its points alone; strong colours are far beyond what "
    "matters, pale figures are not told apart": (
        "Ce que change {variant}, et chacun de ses points seul ; les couleurs fortes dépassent de "
        "loin ce qui importe, les chiffres pâles ne sont pas départagés"
    ),
    "Matches by their number of deals": "Parties selon leur nombre de donnes",
    "distributions, one below the other; the table below has their quantiles": (
        "distributions, l'une sous l'autre ; le tableau au-dessous a leurs quantiles"
    ),
    "deals a match; the upright line is the mean, the outline that of the base": (
        "donnes par partie ; le trait vertical est la moyenne, le contour celui de la base"
    ),
    "Deals a match": "Donnes par partie",
    "Matches by their number of decisions": "Parties selon leur nombre de décisions",
    "decisions a match; the upright line is the mean, the outline that of the base": (
        "décisions par partie ; le trait vertical est la moyenne, le contour celui de la base"
    ),
    "Decisions a match": "Décisions par partie",
    "Beside each figure its 95 % interval. Numbers above 63 are counted some together, at most one "
    "in 32 apart.": (
        "À côté de chaque chiffre, son intervalle à 95 %. Au-delà de 63, les nombres sont comptés "
        "par groupes de voisins, à un trente-deuxième près au plus."
    ),
    "1 in 10 is shorter": "1 sur 10 est plus courte",
    "median": "médiane",
    "1 in 10 is longer": "1 sur 10 est plus longue",
    "longest": "la plus longue",
    "Of 100 deals that begin at a score, the matches that the dealer's side wins: its own score "
    "stands before the row, that of the others above the column. Without colour where fewer than "
    "{few} deals began so; else the 95 % interval ends at most {widest} away. All intervals are in "
    "the table behind the link.": (
        "Sur 100 donnes qui commencent à un score, les parties que gagne le camp du donneur : son "
        "score est en début de ligne, celui des autres au-dessus de la colonne. Sans couleur là où "
        "moins de {few} donnes ont commencé ainsi ; sinon l'intervalle à 95 % finit à {widest} au "
        "plus. Tous les intervalles sont au tableau derrière le lien."
    ),
    "dealer's side": "camp du donneur",
    "What the strategy of the row has more than that of the column, in a match of both: +1 if it "
    "wins all, -1 if it loses all.": (
        "Ce que la stratégie de la ligne a de plus que celle de la colonne, dans une partie des "
        "deux : +1 si elle gagne tout, -1 si elle perd tout."
    ),
    "agreement of the order with that of the base (Kendall's tau)": (
        "accord de l'ordre avec celui de la base (tau de Kendall)"
    ),
    "All intervals of the comparison hold together, 95 times in 100: what lies beside 0 differs.": (
        "Tous les intervalles de la comparaison tiennent ensemble, 95 fois sur 100 : ce qui est à "
        "côté de 0 diffère."
    ),
    "Decisions, options, counters and parameters are called as in the files of the variants.": (
        "Décisions, options, compteurs et paramètres portent les noms des fichiers des variantes ; "
        "l'aide des règles en vient aussi, et reste dans leur langue, le plus souvent l'anglais."
    ),
    # A sweep.
    "{variant} by {names}": "{variant} selon {names}",
    "What the parameters change": "Ce que changent les paramètres",
    "Each with its 95 % interval; all cells play the same sets of deals.": (
        "Chacun avec son intervalle à 95 % ; toutes les cases jouent les mêmes séries de donnes."
    ),
    "an interval for each of {many} cells": "un intervalle pour chacune des {many} cases",
    "What is unclear in {variant}": "Ce qui n'est pas clair dans {variant}",
    "Which reading matters?": "Quelle lecture importe ?",
    # A tournament.
    "Standings": "Classement",
    "Standings: a rank is every place that the results leave open": (
        "Classement : un rang est toute place que les résultats laissent ouverte"
    ),
    "Scores": "Scores",
    "mean score": "score moyen",
    "the mean score of each strategy with its 95 % interval, as in the table above": (
        "le score moyen de chaque stratégie avec son intervalle à 95 %, comme au tableau ci-dessus"
    ),
    "Who is better than whom": "Qui est meilleure que qui",
    "Differences of the two strategies": "Différence des deux stratégies",
    "Differences of every two strategies in their meetings": (
        "Différences des stratégies, deux à deux, dans leurs rencontres"
    ),
    "Differences of neighbours in the standings, in their meetings": (
        "Différences des voisines au classement, dans leurs rencontres"
    ),
    "Differences of every two strategies, each against the whole field": (
        "Différences des stratégies, deux à deux, chacune contre toutes les autres"
    ),
    "Differences of neighbours in the standings, each against the whole field": (
        "Différences des voisines au classement, chacune contre toutes les autres"
    ),
    "{what} more than the other": "{what} de plus que l'autre",
    "{many} intervals; the table below has the same numbers": (
        "{many} intervalles ; le tableau ci-dessous a les mêmes nombres"
    ),
    "separated": "départagées",
    "not separated": "non départagées",
    "separated by the sequential test": "départagées par le test séquentiel",
    "p, corrected for all": "p, corrigé pour toutes",
    "When it ended": "Quand cela s'est terminé",
    "sets of deals": "séries de donnes",
    "log-likelihood ratio of the sequential test": (
        "logarithme du rapport de vraisemblance du test séquentiel"
    ),
    "half the width of the widest interval of a difference": (
        "moitié de la largeur du plus large intervalle d'une différence"
    ),
    "narrow enough": "assez étroit",
    "what the rule saw at each of {many} looks, with its bounds": (
        "ce que la règle a vu à chacun des {many} regards, et ses bornes"
    ),
    "Each against each": "Chacune contre chacune",
    "Mean score of the strategy of the row against that of the column, head to head": (
        "Score moyen de la stratégie de la ligne contre celle de la colonne, entre elles deux"
    ),
    "Strategies that failed": "Stratégies en faute",
    # What is checked.
    "all {many}": "toutes les {many}",
    "{share}, standard error {error}": "{share}, erreur type {error}",
    "{variant}: matches by their deals come to all matches": (
        "{variant} : les parties selon leurs donnes font toutes les parties"
    ),
    "{variant}: matches by their decisions come to all matches": (
        "{variant} : les parties selon leurs décisions font toutes les parties"
    ),
    "{variant}: deals by the length of matches come to all deals": (
        "{variant} : les donnes selon la longueur des parties font toutes les donnes"
    ),
    "{variant}: decisions by the length of matches come to all decisions": (
        "{variant} : les décisions selon la longueur des parties font toutes les décisions"
    ),
    "{variant}: shares of how deals end": "{variant} : parts des fins de donnes",
    "{variant}: shares of answers where {decision} is asked": (
        "{variant} : parts des réponses à la question {decision}"
    ),
    "{variant}: shares from 0 to 1, each value within its interval": (
        "{variant} : parts de 0 à 1, chaque valeur dans son intervalle"
    ),
    "{variant}: the first seat wins half of the matches, as chance has it": (
        "{variant} : la première place gagne la moitié des parties, au hasard près"
    ),
    "{variant}: shares won from each score in {counter} from 0 to 1": (
        "{variant} : parts gagnées à partir de chaque score en {counter} de 0 à 1"
    ),
    "{variant}: deals by score in {counter} are at most all deals": (
        "{variant} : les donnes par score en {counter} ne dépassent pas toutes les donnes"
    ),
    "{variant}: sets played again, picked by the seed": (
        "{variant} : séries rejouées, tirées par la graine"
    ),
    "sets played again, picked by the seed": "séries rejouées, tirées par la graine",
    "sets {first} to {last}": "séries {first} à {last}",
    "all the same": "toutes pareilles",
    "they come out otherwise": "elles donnent autre chose",
    "{variant}: what one strategy has more the other has less": (
        "{variant} : ce qu'une stratégie a de plus, l'autre l'a de moins"
    ),
    "{variant}: differences are those of the values": (
        "{variant} : les différences sont celles des valeurs"
    ),
    "won, drawn and lost come to all matches of a strategy": (
        "gagnées, nulles et perdues font toutes les parties d'une stratégie"
    ),
    "won, drawn and lost come to all matches of a pair": (
        "gagnées, nulles et perdues font toutes les parties d'une paire"
    ),
    "deals of all sums come to all deals": "les donnes de toutes les sommes font toutes les donnes",
    "decisions of all sums come to all decisions": (
        "les décisions de toutes les sommes font toutes les décisions"
    ),
    "scores from 0 to 1": "scores de 0 à 1",
    "scores of all seats come to 1": "les scores de toutes les places font 1",
    "what one of a pair scores the other does not": (
        "ce que l'une d'une paire marque, l'autre ne le marque pas"
    ),
    "the team of seat 0 wins its share of the matches, as chance has it": (
        "l'équipe de la place 0 gagne sa part des parties, au hasard près"
    ),
}
